/** Ends a switch over a closed union: adding a variant lights up every place that forgot it. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${JSON.stringify(value)}`);
}
