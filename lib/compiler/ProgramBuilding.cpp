//===- ProgramBuilding.cpp - Creating programs over the C ABI -------------===//
#include "compiler/Guard.h"
#include "compiler/ProgramHandle.h"
#include "compiler/Text.h"

using namespace bessemer;
using namespace bessemer::compiler;

static std::vector<std::string_view> views(const bsm_text *texts,
                                           size_t count) {
  std::vector<std::string_view> list(count);
  for (size_t i = 0; i < count; ++i)
    list[i] = view(texts[i]);
  return list;
}

static mlir::Value valueFrom(void *opaque) {
  return mlir::Value::getFromOpaquePointer(opaque);
}

static std::vector<mlir::Value> valuesFrom(void *const *values, size_t count) {
  std::vector<mlir::Value> list(count);
  for (size_t i = 0; i < count; ++i)
    list[i] = valueFrom(values[i]);
  return list;
}

/// Makes a handle from what `make` returns.
static bsm_status
open(std::string_view doing, bsm_ir_program **handle, bsm_string *message,
     llvm::function_ref<Result<std::unique_ptr<IRProgram>>()> make) {
  auto owned = std::make_unique<bsm_ir_program>();
  bool isBroken = false;
  Status status = guarded(doing, {}, isBroken, [&]() -> Status {
    Result<std::unique_ptr<IRProgram>> program = make();
    if (!program)
      return program.error();
    owned->program = std::move(*program);
    return {};
  });
  if (status)
    *handle = owned.release();
  else if (isBroken)
    (void)owned.release();
  return finish(status, message);
}

static bsm_status create(bsm_ir_program **handle, bsm_string *message) {
  return open("creating a program", handle, message,
              [] { return IRProgram::create(); });
}

static bsm_status parse(bsm_text text, bsm_ir_program **handle,
                        bsm_string *message) {
  return open("parsing a program", handle, message,
              [&] { return IRProgram::parse(view(text)); });
}

static bsm_status fromBytecode(bsm_text bytes, bsm_ir_program **handle,
                               bsm_string *message) {
  // The caller keeps them.
  std::shared_ptr<const void> owner(std::shared_ptr<const void>(), bytes.data);
  return open("reading a program", handle, message,
              [&] { return IRProgram::fromBytecode(view(bytes), owner); });
}

static void release(bsm_ir_program *handle) {
  if (!handle->isBroken)
    delete handle;
}

/// Runs one small step on the program, alone and guarded.
static bsm_status step(bsm_ir_program *handle, std::string_view doing,
                       bsm_string *message,
                       llvm::function_ref<Status(IRProgram &)> work) {
  std::lock_guard lock(handle->mutex);
  return finish(guardedInPlace(doing, [&] { return work(*handle->program); }),
                message);
}

static bsm_status addGraph(bsm_ir_program *handle, bsm_text name,
                           const bsm_text *names, const bsm_text *types,
                           size_t count, void **block, bsm_string *message) {
  return step(handle, "adding a graph", message,
              [&](IRProgram &program) -> Status {
                Result<mlir::Block *> body = program.addGraph(
                    view(name), views(names, count), views(types, count));
                if (!body)
                  return body.error();
                *block = *body;
                return {};
              });
}

static void *input(bsm_ir_program *handle, void *block, uint32_t index) {
  return handle->program->input(static_cast<mlir::Block *>(block), index)
      .getAsOpaquePointer();
}

static bsm_status setOutputs(bsm_ir_program *handle, void *block,
                             void *const *values, const bsm_text *names,
                             size_t count, bsm_string *message) {
  return step(handle, "setting outputs", message, [&](IRProgram &program) {
    return program.setOutputs(static_cast<mlir::Block *>(block),
                              valuesFrom(values, count), views(names, count));
  });
}

static bsm_status createOp(bsm_ir_program *handle, void *block, bsm_text name,
                           void *const *operands, size_t operandCount,
                           const bsm_text *resultTypes, size_t resultCount,
                           bsm_text attributes, bsm_text location,
                           uint32_t regions, void **operation,
                           bsm_string *message) {
  return step(handle, "creating an operation", message,
              [&](IRProgram &program) -> Status {
                Result<mlir::Operation *> created = program.createOp(
                    static_cast<mlir::Block *>(block), view(name),
                    valuesFrom(operands, operandCount),
                    views(resultTypes, resultCount), view(attributes),
                    view(location), regions);
                if (!created)
                  return created.error();
                *operation = *created;
                return {};
              });
}

static void *result(bsm_ir_program *handle, void *operation, uint32_t index) {
  return handle->program
      ->result(static_cast<mlir::Operation *>(operation), index)
      .getAsOpaquePointer();
}

static void *region(bsm_ir_program *handle, void *operation, uint32_t index) {
  return handle->program->region(static_cast<mlir::Operation *>(operation),
                                 index);
}

static bsm_status addArgument(bsm_ir_program *handle, void *block,
                              bsm_text type, void **value,
                              bsm_string *message) {
  return step(
      handle, "adding an argument", message, [&](IRProgram &program) -> Status {
        Result<mlir::Value> added =
            program.addArgument(static_cast<mlir::Block *>(block), view(type));
        if (!added)
          return added.error();
        *value = added->getAsOpaquePointer();
        return {};
      });
}

static GraphDimension dimensionFrom(const bsm_dimension &raw) {
  GraphDimension dimension{
      std::string(view(raw.name)), raw.min, std::nullopt, {}};
  if (raw.max >= 0)
    dimension.max = raw.max;
  for (size_t i = 0; i < raw.use_count; ++i)
    dimension.uses.push_back({raw.uses[i].input, raw.uses[i].axis,
                              raw.uses[i].factor, raw.uses[i].offset});
  return dimension;
}

static bsm_status setDimensions(bsm_ir_program *handle, bsm_text graph,
                                const bsm_dimension *dimensions, size_t count,
                                bsm_string *message) {
  return step(handle, "setting dimensions", message, [&](IRProgram &program) {
    std::vector<GraphDimension> list(count);
    for (size_t i = 0; i < count; ++i)
      list[i] = dimensionFrom(dimensions[i]);
    return program.setDimensions(view(graph), list);
  });
}

static bsm_status typeOf(bsm_ir_program *handle, void *value, bsm_string *type,
                         bsm_string *message) {
  return step(handle, "printing a type", message,
              [&](IRProgram &program) -> Status {
                *type = copy(program.typeOf(valueFrom(value)));
                return {};
              });
}

static bsm_status constant(bsm_ir_program *handle, void *block,
                           const bsm_tensor_data *data, void **value,
                           bsm_string *message) {
  return step(handle, "creating a constant", message,
              [&](IRProgram &program) -> Status {
                Result<mlir::Value> created =
                    program.constant(static_cast<mlir::Block *>(block),
                                     static_cast<DType>(data->dtype),
                                     {data->shape, data->shape + data->rank},
                                     data->data, data->bytes);
                if (!created)
                  return created.error();
                *value = created->getAsOpaquePointer();
                return {};
              });
}

void compiler::addProgramBuilding(bsm_compiler_api &api) {
  api.program_create = create;
  api.program_parse = parse;
  api.program_from_bytecode = fromBytecode;
  api.program_release = release;
  api.program_add_graph = addGraph;
  api.program_input = input;
  api.program_set_outputs = setOutputs;
  api.program_create_op = createOp;
  api.program_result = result;
  api.program_region = region;
  api.program_add_argument = addArgument;
  api.program_set_dimensions = setDimensions;
  api.program_type_of = typeOf;
  api.program_constant = constant;
}
