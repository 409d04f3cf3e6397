; RUN: not bsm-interp %s --kernel diverge --threads 4 --group 4 2>&1 | FileCheck %s
; CHECK: error: kernel 'diverge': user.metal:7: threadgroup_barrier is not reached by all threads: thread (1, 0, 0) waits at user.metal:9, in thread (0, 0, 0)
; RUN: not bsm-interp %s --kernel iterate --threads 4 --group 4 2>&1 | FileCheck %s --check-prefix=ITERATION
; ITERATION: not reached by all threads: thread (0, 0, 0) waits there in another iteration or call
target datalayout = "e-p:64:64"

declare i32 @bsm.thread_index_in_threadgroup()
declare void @bsm.threadgroup_barrier(i32)

define void @diverge() !dbg !5 {
  %t = call i32 @bsm.thread_index_in_threadgroup()
  %first = icmp eq i32 %t, 0
  br i1 %first, label %a, label %b
a:
  call void @bsm.threadgroup_barrier(i32 0), !dbg !8
  br label %end
b:
  call void @bsm.threadgroup_barrier(i32 0), !dbg !9
  br label %end
end:
  ret void
}

; Thread t skips the barrier in iteration t.
define void @iterate() {
entry:
  %t = call i32 @bsm.thread_index_in_threadgroup()
  br label %loop
loop:
  %i = phi i32 [ 0, %entry ], [ %next, %latch ]
  %skips = icmp eq i32 %i, %t
  br i1 %skips, label %latch, label %wait
wait:
  call void @bsm.threadgroup_barrier(i32 0)
  br label %latch
latch:
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, 5
  br i1 %more, label %loop, label %end
end:
  ret void
}

!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C_plus_plus, file: !1, emissionKind: LineTablesOnly)
!1 = !DIFile(filename: "user.metal", directory: "")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !4)
!4 = !{}
!5 = distinct !DISubprogram(name: "diverge", file: !1, line: 5, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 7, column: 3, scope: !5)
!9 = !DILocation(line: 9, column: 3, scope: !5)
