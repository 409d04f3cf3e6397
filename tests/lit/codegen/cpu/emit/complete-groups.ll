; A grid whose groups are all complete needs no body under a mask, unless a
; chunk has lanes that stand for no thread.
; RUN: bsm-cpu %s --group=64 --complete-groups --stop-after=emit | FileCheck %s
; RUN: bsm-cpu %s --group=8,8 --complete-groups --stop-after=emit | FileCheck %s
; RUN: bsm-cpu %s --group=64 --stop-after=emit | FileCheck %s --check-prefix=ANY
; RUN: bsm-cpu %s --group=100 --complete-groups --stop-after=emit | FileCheck %s --check-prefix=ANY
; RUN: bsm-cpu %s --complete-groups --stop-after=emit | FileCheck %s --check-prefix=MASKED

declare i32 @bsm.thread_index_in_threadgroup()

; CHECK-NOT: @k.{{.*}}masked
; CHECK: define internal i32 @k.{{.*}}.all(
; CHECK-NOT: @k.{{.*}}masked
; ANY-DAG: define internal i32 @k.{{.*}}.all(
; ANY-DAG: define internal i32 @k.{{.*}}.masked(
; MASKED-NOT: @k.{{.*}}.all(
; MASKED: define internal i32 @k.{{.*}}.masked(
; MASKED-NOT: @k.{{.*}}.all(
define void @k(ptr addrspace(1) %out) mustprogress {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %at = getelementptr i32, ptr addrspace(1) %out, i32 %t
  store i32 %t, ptr addrspace(1) %at
  ret void
}
