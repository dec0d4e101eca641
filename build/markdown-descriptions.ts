/** An editor takes a `description` for plain text and would show its backquotes: where there are any, it is said once more as Markdown. */
import type { Json } from '../src/domain/json.ts';

export function asMarkdown<T extends Json>(node: T): T {
  return changed(node) as T;
}

function changed(node: Json): Json {
  if (Array.isArray(node)) return node.map(changed);
  if (typeof node !== 'object' || node === null) return node;
  const inner = Object.fromEntries(Object.entries(node).map(([keyword, value]) => [keyword, changed(value)]));
  const { description } = inner;
  if (typeof description !== 'string' || !description.includes('`') || 'markdownDescription' in inner) return inner;
  return { ...inner, markdownDescription: description };
}
