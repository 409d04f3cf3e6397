//===- FunctionRef.h - A callable by reference ------------------*- C++ -*-===//
#ifndef BESSEMER_RUNTIME_FUNCTIONREF_H
#define BESSEMER_RUNTIME_FUNCTIONREF_H

#include <memory>
#include <type_traits>
#include <utility>

namespace bessemer::runtime {

template <typename F> class FunctionRef;

/// Like std::function without ownership or allocation: for parameters only.
template <typename R, typename... Args> class FunctionRef<R(Args...)> {
public:
  template <typename F>
    requires(!std::is_same_v<std::remove_cvref_t<F>, FunctionRef>)
  FunctionRef(F &&function)
      : object(const_cast<void *>(
            static_cast<const void *>(std::addressof(function)))),
        call([](void *object, Args... args) -> R {
          return (*static_cast<std::remove_reference_t<F> *>(object))(
              std::forward<Args>(args)...);
        }) {}
  R operator()(Args... args) const {
    return call(object, std::forward<Args>(args)...);
  }

private:
  void *object;
  R (*call)(void *, Args...);
};

} // namespace bessemer::runtime

#endif // BESSEMER_RUNTIME_FUNCTIONREF_H
