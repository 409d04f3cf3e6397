// Shape arithmetic on static shapes becomes constants.
// RUN: bsm-ir-opt %s -canonicalize | FileCheck %s

// x.shape[0] as it is written for a grid: get_shape, cast, slice, reshape to
// rank 0, arithmetic, cast, reshape, concat.
// CHECK-LABEL: coreai.graph @grid
// CHECK-NEXT: %[[GRID:.*]] = coreai.constant dense<[4, 1, 1]> : tensor<3xui32>
// CHECK-NEXT: coreai.output %[[GRID]]
coreai.graph @grid(%x: tensor<1000x3xf32>) -> tensor<3xui32> {
  %zero = coreai.constant dense<0> : tensor<1xsi32>
  %one = coreai.constant dense<1> : tensor<1xsi32>
  %scalar = coreai.constant dense<> : tensor<0xui32>
  %vector = coreai.constant dense<1> : tensor<1xui32>
  %axis = coreai.constant dense<0> : tensor<si32>
  %b = coreai.constant dense<256> : tensor<si32>
  %m = coreai.constant dense<255> : tensor<si32>
  %0 = coreai.get_shape %x : tensor<1000x3xf32> -> tensor<2xui32>
  %1 = coreai.cast %0 : tensor<2xui32> to tensor<2xsi32>
  %2 = coreai.slice %1, %zero, %one, %one : (tensor<2xsi32>, tensor<1xsi32>, tensor<1xsi32>, tensor<1xsi32>) -> tensor<1xsi32>
  %3 = coreai.reshape %2, %scalar : (tensor<1xsi32>, tensor<0xui32>) -> tensor<si32>
  %4 = coreai.decomposable.broadcasting_add %3, %m : (tensor<si32>, tensor<si32>) -> tensor<si32>
  %5 = coreai.decomposable.broadcasting_floor_divide %4, %b : (tensor<si32>, tensor<si32>) -> tensor<si32>
  %6 = coreai.cast %5 : tensor<si32> to tensor<ui32>
  %7 = coreai.reshape %6, %vector : (tensor<ui32>, tensor<1xui32>) -> tensor<1xui32>
  %8 = coreai.concat %axis, %7, %vector, %vector : (tensor<si32>, tensor<1xui32>, tensor<1xui32>, tensor<1xui32>) -> tensor<3xui32>
  coreai.output %8 : tensor<3xui32>
}

// CHECK-LABEL: coreai.graph @values
coreai.graph @values() -> (tensor<3xsi32>, tensor<2x2xf32>, tensor<2xi1>, tensor<3xf16>, tensor<3x2xsi32>, tensor<3xui32>, tensor<3xsi32>) {
  %v = coreai.constant dense<[5, -7, 9]> : tensor<3xsi32>
  %u = coreai.constant dense<[4294967295, 1, 0]> : tensor<3xui32>
  %m = coreai.constant dense<[[1, 2, 3], [4, 5, 6]]> : tensor<2x3xsi32>
  %f = coreai.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : tensor<2x2xf32>
  %t = coreai.constant dense<[0, 2]> : tensor<2xsi32>
  %perm = coreai.constant dense<[1, 0]> : tensor<2xui32>
  %start = coreai.constant dense<[-1]> : tensor<1xsi32>
  %end = coreai.constant dense<-4> : tensor<1xsi32>
  %back = coreai.constant dense<-1> : tensor<1xsi32>
  // CHECK-DAG: coreai.constant dense<[9, -7, 5]> : tensor<3xsi32>
  %0 = coreai.slice %v, %start, %end, %back : (tensor<3xsi32>, tensor<1xsi32>, tensor<1xsi32>, tensor<1xsi32>) -> tensor<3xsi32>
  // CHECK-DAG: coreai.constant dense<{{\[}}[1.000000e+00, 3.000000e+00], [2.000000e+00, 4.000000e+00]]> : tensor<2x2xf32>
  %1 = coreai.transpose %f, %perm : (tensor<2x2xf32>, tensor<2xui32>) -> tensor<2x2xf32>
  // CHECK-DAG: coreai.constant dense<[false, true]> : tensor<2xi1>
  %2 = coreai.cast %t : tensor<2xsi32> to tensor<2xi1>
  // CHECK-DAG: coreai.constant dense<[5.000000e+00, -7.000000e+00, 9.000000e+00]> : tensor<3xf16>
  %3 = coreai.cast %v : tensor<3xsi32> to tensor<3xf16>
  // CHECK-DAG: coreai.constant dense<{{\[}}[1, 4], [2, 5], [3, 6]]> : tensor<3x2xsi32>
  %4 = coreai.transpose %m, %perm : (tensor<2x3xsi32>, tensor<2xui32>) -> tensor<3x2xsi32>
  // Unsigned sums wrap; extremes are those of the type.
  // CHECK-DAG: coreai.constant dense<[4294967294, 2, 0]> : tensor<3xui32>
  %5 = coreai.decomposable.broadcasting_add %u, %u : (tensor<3xui32>, tensor<3xui32>) -> tensor<3xui32>
  // CHECK-DAG: coreai.constant dense<[5, 2, 9]> : tensor<3xsi32>
  %two = coreai.constant dense<2> : tensor<si32>
  %6 = coreai.decomposable.broadcasting_maximum %v, %two : (tensor<3xsi32>, tensor<si32>) -> tensor<3xsi32>
  coreai.output %0, %1, %2, %3, %4, %5, %6 : tensor<3xsi32>, tensor<2x2xf32>, tensor<2xi1>, tensor<3xf16>, tensor<3x2xsi32>, tensor<3xui32>, tensor<3xsi32>
}

// What does nothing goes; what only the run time knows stays.
// CHECK-LABEL: coreai.graph @identities
// CHECK: %[[SHAPE:.*]] = coreai.get_shape %arg1
// CHECK-NOT: coreai.cast
// CHECK-NOT: coreai.slice
// CHECK: %[[Q:.*]] = coreai.decomposable.broadcasting_floor_divide
// CHECK: coreai.output %arg0, %[[SHAPE]], %[[Q]]
coreai.graph @identities(%x: tensor<2x3xf32>, %d: tensor<?x3xf32>) -> (tensor<2x3xf32>, tensor<2xui32>, tensor<si32>) {
  %zero = coreai.constant dense<0> : tensor<2xsi32>
  %end = coreai.constant dense<2147483647> : tensor<2xsi32>
  %one = coreai.constant dense<1> : tensor<2xsi32>
  %0 = coreai.cast %x : tensor<2x3xf32> to tensor<2x3xf32>
  %1 = coreai.slice %0, %zero, %end, %one : (tensor<2x3xf32>, tensor<2xsi32>, tensor<2xsi32>, tensor<2xsi32>) -> tensor<2x3xf32>
  %2 = coreai.get_shape %d : tensor<?x3xf32> -> tensor<2xui32>
  // Roundings differ below zero: left alone.
  %a = coreai.constant dense<-7> : tensor<si32>
  %b = coreai.constant dense<2> : tensor<si32>
  %3 = coreai.decomposable.broadcasting_floor_divide %a, %b : (tensor<si32>, tensor<si32>) -> tensor<si32>
  coreai.output %1, %2, %3 : tensor<2x3xf32>, tensor<2xui32>, tensor<si32>
}
