export type Json = null | boolean | number | string | readonly Json[] | { readonly [name: string]: Json };
export type JsonObject = { readonly [name: string]: Json };

export const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The object or list that a text is when it is read as JSON; null where it is none. */
export function jsonIn(text: string): Json {
  if (!/^\s*[[{]/.test(text)) return null;
  try {
    return JSON.parse(text) as Json;
  } catch {
    return null;
  }
}

/** The object or the list that a text is when it is read as JSON; null where it is neither: `5` and `true` are words of a command. */
export function jsonDataIn(text: string): JsonObject | readonly Json[] | null {
  const json = jsonIn(text);
  return isObject(json) || Array.isArray(json) ? json : null;
}

/** JSON with sorted keys and no white space: the same value always gives the same text (RFC 8785 in spirit). */
export function canonical(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value === 'object' && value !== null) {
    const object = value as JsonObject;
    let text = '';
    for (const name of Object.keys(object).sort())
      text += `${text === '' ? '' : ','}${JSON.stringify(name)}:${canonical(object[name] ?? null)}`;
    return `{${text}}`;
  }
  return JSON.stringify(value);
}
