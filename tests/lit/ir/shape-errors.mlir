// MLIR adds "failed to infer returned types" to each: not expected here.
// RUN: bsm-ir-opt %s -split-input-file -verify-diagnostics=only-expected
coreai.graph @broadcast(%a: tensor<2x3xf32>, %b: tensor<4xf32>) {
  // expected-error@+1 {{cannot broadcast 'tensor<2x3xf32>' with 'tensor<4xf32>'}}
  %0 = coreai.decomposable.broadcasting_add %a, %b : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2x3xf32>
  coreai.output
}

// -----
coreai.graph @elements(%a: tensor<2xf32>, %b: tensor<2xf16>) {
  // expected-error@+1 {{operands have different element types: 'tensor<2xf32>' and 'tensor<2xf16>'}}
  %0 = coreai.decomposable.broadcasting_add %a, %b : (tensor<2xf32>, tensor<2xf16>) -> tensor<2xf32>
  coreai.output
}

// -----
// A dynamic extent joins anything, and says nothing.
coreai.graph @dynamic(%a: tensor<?x3xf32>, %b: tensor<2x1xf32>) {
  %0 = coreai.decomposable.broadcasting_add %a, %b : (tensor<?x3xf32>, tensor<2x1xf32>) -> tensor<2x3xf32>
  %1 = coreai.decomposable.broadcasting_add %a, %b : (tensor<?x3xf32>, tensor<2x1xf32>) -> tensor<?x3xf32>
  // expected-error@+1 {{inferred type(s) 'tensor<2x3xf32>' are incompatible with return type(s) of operation 'tensor<4x3xf32>'}}
  %2 = coreai.decomposable.broadcasting_add %a, %b : (tensor<?x3xf32>, tensor<2x1xf32>) -> tensor<4x3xf32>
  coreai.output
}

// -----
coreai.graph @comparison(%a: tensor<2xf32>) {
  // expected-error@+1 {{inferred type(s) 'tensor<2xi1>' are incompatible with return type(s) of operation 'tensor<2xf32>'}}
  %0 = coreai.decomposable.broadcasting_equal %a, %a : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>
  coreai.output
}

// -----
coreai.graph @matmul(%a: tensor<2x3xf32>, %b: tensor<4x5xf32>) {
  // expected-error@+1 {{inner extents differ: 'tensor<2x3xf32>' and 'tensor<4x5xf32>'}}
  %0 = coreai.decomposable.broadcasting_batch_matmul %a, %b : (tensor<2x3xf32>, tensor<4x5xf32>) -> tensor<2x5xf32>
  coreai.output
}

// -----
coreai.graph @reshape(%a: tensor<2x3xf32>) {
  %0 = coreai.constant dense<[4, -1]> : tensor<2xsi32>
  // expected-error@+1 {{cannot divide the 6 elements of 'tensor<2x3xf32>' by 4}}
  %1 = coreai.reshape %a, %0 : (tensor<2x3xf32>, tensor<2xsi32>) -> tensor<4x1xf32>
  coreai.output
}

// -----
coreai.graph @transpose(%a: tensor<2x3xf32>) {
  %0 = coreai.constant dense<[1, 1]> : tensor<2xui32>
  // expected-error@+1 {{axis 1 occurs twice}}
  %1 = coreai.transpose %a, %0 : (tensor<2x3xf32>, tensor<2xui32>) -> tensor<3x2xf32>
  coreai.output
}

// -----
coreai.graph @axis(%a: tensor<2x3xf32>) {
  %0 = coreai.constant dense<-3> : tensor<1xsi32>
  // expected-error@+1 {{axis -3 is out of range for rank 2}}
  %1 = coreai.reduce_sum %a, %0 : (tensor<2x3xf32>, tensor<1xsi32>) -> tensor<2x1xf32>
  coreai.output
}

// -----
coreai.graph @slice(%a: tensor<2x3xf32>, %v: tensor<1xsi32>, %w: tensor<2xsi32>) {
  // expected-error@+1 {{start must have 2 elements, got 'tensor<1xsi32>'}}
  %1 = coreai.slice %a, %v, %w, %w : (tensor<2x3xf32>, tensor<1xsi32>, tensor<2xsi32>, tensor<2xsi32>) -> tensor<?x?xf32>
  coreai.output
}

// -----
coreai.graph @stride(%a: tensor<2xf32>, %v: tensor<1xsi32>) {
  %0 = coreai.constant dense<0> : tensor<1xsi32>
  // expected-error@+1 {{a stride is 0}}
  %1 = coreai.slice %a, %v, %v, %0 : (tensor<2xf32>, tensor<1xsi32>, tensor<1xsi32>, tensor<1xsi32>) -> tensor<?xf32>
  coreai.output
}

// -----
coreai.graph @concat(%a: tensor<2x3xf32>, %b: tensor<2x4xf32>) {
  %0 = coreai.constant dense<0> : tensor<si32>
  // expected-error@+1 {{cannot join 'tensor<2x3xf32>' and 'tensor<2x4xf32>'}}
  %1 = coreai.concat %0, %a, %b : (tensor<si32>, tensor<2x3xf32>, tensor<2x4xf32>) -> tensor<4x3xf32>
  coreai.output
}

// -----
coreai.graph @split(%a: tensor<4xf32>) {
  %0 = coreai.constant dense<[1, 2]> : tensor<2xui32>
  %1 = coreai.constant dense<0> : tensor<si32>
  // expected-error@+1 {{the sizes add up to 3, but axis 0 of 'tensor<4xf32>' has 4}}
  %2:2 = coreai.split %a, %0, %1 : (tensor<4xf32>, tensor<2xui32>, tensor<si32>) -> (tensor<1xf32>, tensor<2xf32>)
  coreai.output
}

// -----
coreai.graph @shrink(%a: tensor<4x1xf32>) {
  %0 = coreai.constant dense<0> : tensor<1xsi32>
  // expected-error@+1 {{axis 0 of 'tensor<4x1xf32>' has extent 4, not 1}}
  %1 = coreai.shrink_dims %a, %0 : (tensor<4x1xf32>, tensor<1xsi32>) to tensor<1xf32>
  coreai.output
}

// -----
coreai.graph @broadcast_to(%a: tensor<4xf32>) {
  %0 = coreai.constant dense<[2, 5]> : tensor<2xui32>
  // expected-error@+1 {{cannot broadcast 'tensor<4xf32>' to 'tensor<2x5xf32>'}}
  %1 = coreai.broadcast_to %a, %0 : (tensor<4xf32>, tensor<2xui32>) -> tensor<2x5xf32>
  coreai.output
}

// -----
coreai.graph @cast(%a: tensor<4xf32>) {
  // expected-error@+1 {{must keep the shape, got 'tensor<4xf32>' and 'tensor<5xf16>'}}
  %0 = coreai.cast %a : tensor<4xf32> to tensor<5xf16>
  coreai.output
}

// -----
coreai.graph @operand(%a: tensor<4xsi32>) {
  // expected-error@+1 {{operand #0 must be CoreAI Tensor of floating-point values, but got 'tensor<4xsi32>'}}
  %0 = coreai.exp %a : tensor<4xsi32> -> tensor<4xsi32>
  coreai.output
}

// -----
coreai.graph @window(%a: tensor<1x3x2x2xf32>, %w: tensor<4x3x3x3xf32>) {
  %0 = coreai.constant dense<1> : tensor<2xui32>
  %1 = coreai.constant dense<1> : tensor<ui32>
  // expected-error@+1 {{a window of 3 elements does not fit an extent of 2}}
  %2 = coreai.conv2d %a, %w, %0, %0, %1 : (tensor<1x3x2x2xf32>, tensor<4x3x3x3xf32>, tensor<2xui32>, tensor<2xui32>, tensor<ui32>) -> tensor<1x4x?x?xf32>
  coreai.output
}
