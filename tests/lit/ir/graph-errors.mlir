// RUN: bsm-ir-opt %s -split-input-file -verify-diagnostics
// expected-error@+1 {{has two inputs named 'x'; rename one}}
coreai.graph @twice(%a: tensor<f32> {coreai.name = "x"}, %b: tensor<f32> {coreai.name = "x"}) {
  coreai.output
}

// -----
// expected-error@+1 {{has an empty name}}
coreai.graph @""() {
  coreai.output
}

// -----
// expected-error@+1 {{has no body}}
coreai.graph private @external() -> tensor<f32>

// -----
coreai.graph @outputs(%a: tensor<f32>) -> tensor<f32> {
  // expected-error@+1 {{returns 2 values, but @outputs declares 1 results}}
  coreai.output %a, %a : tensor<f32>, tensor<f32>
}

// -----
coreai.graph @types(%a: tensor<f32>) -> tensor<f16> {
  // expected-error@+1 {{operand #0 has type 'tensor<f32>', but @types declares 'tensor<f16>'}}
  coreai.output %a : tensor<f32>
}

// -----
coreai.graph @caller(%a: tensor<f32>) {
  // expected-error@+1 {{calls @nobody, which is not a graph}}
  coreai.invoke @nobody(%a)  : (tensor<f32>) -> ()
  coreai.output
}

// -----
coreai.graph private @callee(%a: tensor<f16>) {
  coreai.output
}
coreai.graph @caller(%a: tensor<f32>) {
  // expected-error@+1 {{calls @callee as '(tensor<f32>) -> ()', but its type is '(tensor<f16>) -> ()'}}
  coreai.invoke @callee(%a)  : (tensor<f32>) -> ()
  coreai.output
}

// -----
coreai.graph @elided() {
  // expected-error@+1 {{the data of resource '__elided__' are missing; the text was printed with elided weights, print it in full}}
  %0 = coreai.constant dense_resource<__elided__> : tensor<4xf32>
  coreai.output
}

// -----
coreai.graph @short() {
  // expected-error@+1 {{resource 'w' has 4 bytes, which does not fit 'tensor<4xf32>'}}
  %0 = coreai.constant dense_resource<w> : tensor<4xf32>
  coreai.output
}
{-# dialect_resources: { builtin: { w: "0x040000000000803F" } } #-}

// -----
coreai.graph @signless() {
  // expected-error@+1 {{must be CoreAI Tensor, but got 'tensor<2xi32>'}}
  %0 = coreai.constant dense<1> : tensor<2xi32>
  coreai.output
}

// -----
coreai.graph @state(%h: !coreai.handle<tensor<3xf32>>, %v: tensor<4xf32>) -> !coreai.token {
  %0 = coreai.create_token : !coreai.token
  // expected-error@+1 {{the handle holds 'tensor<3xf32>', not 'tensor<4xf32>'}}
  %1 = coreai.write_handle %h, %v, %0 : (<tensor<3xf32>>, tensor<4xf32>, !coreai.token) -> !coreai.token
  coreai.output %1 : !coreai.token
}
