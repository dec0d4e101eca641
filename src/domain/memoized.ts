/** A function of one object that computes each answer once. An answer is kept as long as its object is. */
export function memoized<Key extends object, Value extends NonNullable<unknown>>(
  compute: (key: Key) => Value,
): (key: Key) => Value {
  const known = new WeakMap<Key, Value>();
  return key => {
    let value = known.get(key);
    if (value === undefined) {
      value = compute(key);
      known.set(key, value);
    }
    return value;
  };
}
