; RUN: bsm-region %s --group=256,1,1 --lanes=32 | FileCheck %s --check-prefix=ANY
; RUN: bsm-region %s --group=256,1,1 --lanes=32 --size=compact | FileCheck %s --check-prefix=COMPACT
; RUN: bsm-region %s --group=256,1,1 --lanes=32 --size=least | FileCheck %s --check-prefix=LEAST

declare i32 @bsm.thread_index_in_threadgroup()

; Elements anywhere: instructions for each lane, or a gather and one loop over the
; lanes of all parts.
; ANY-LABEL: define internal i32 @permute.all
; ANY-NOT: lane.head
; ANY-COUNT-32: store i32
; COMPACT-LABEL: define internal i32 @permute.all
; COMPACT-COUNT-4: @llvm.masked.gather.v8i32
; COMPACT: lane.head:
; COMPACT: lane:
; COMPACT: store i32
; COMPACT-NOT: store i32
; COMPACT-NOT: lane.head{{[0-9]+}}:
; COMPACT: Function Attrs: noinline
define void @permute(ptr %a, ptr %to, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %p = getelementptr i32, ptr %to, i64 %i
  %j = load i32, ptr %p
  %k = zext i32 %j to i64
  %q = getelementptr i32, ptr %a, i64 %k
  %x = load i32, ptr %q
  %y = mul i32 %x, 3
  store i32 %y, ptr %q
  ret void
}

; Two versions of a branch; one, if there is to be little code.
; ANY-LABEL: define internal i32 @branch.all
; ANY: all:
; COMPACT-LABEL: define internal i32 @branch.all
; COMPACT: all:
; LEAST-LABEL: define internal i32 @branch.all
; LEAST-NOT: all:
; LEAST: some:
define void @branch(ptr %a, ptr %launch, ptr noalias %threadgroup, ptr noalias %context, i32 %gx, i32 %gy, i32 %gz, i32 %first, i32 %ax, i32 %ay, i32 %az) {
entry:
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %i = zext i32 %t to i64
  %p = getelementptr i32, ptr %a, i64 %i
  %x = load i32, ptr %p
  %c = icmp sgt i32 %x, 7
  br i1 %c, label %then, label %done
then:
  %y = mul i32 %x, %x
  store i32 %y, ptr %p
  br label %done
done:
  ret void
}
