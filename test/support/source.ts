/** Just enough of TypeScript to see what a file imports and what it says outside comments and texts. */

export interface Import {
  readonly from: string;
  /** `import type`: gone when the program runs. */
  readonly types: boolean;
}

const IMPORT =
  /\b(?:import|export)\s+(type\s+)?(?:[\w$*{][^'";]*?\s+from\s+)?(['"])([^'"\n]+)\2|\bimport\s*\(\s*(['"])([^'"\n]+)\4/g;

/** In the order of the file, dynamic ones included. */
export function imports(text: string): readonly Import[] {
  return [...withoutComments(text).matchAll(IMPORT)].map(([, types, , from, , dynamic]) => ({
    from: from ?? dynamic ?? '',
    types: types !== undefined,
  }));
}

/** Tokens that hide others: comments, texts, regular expressions (where a value may stand). */
const TOKEN =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|(?<=[=(,:[!&|?{};\n]\s*|\breturn\s+)\/(?![/*])(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*|`/g;

function withoutComments(text: string): string {
  return replaceTokens(text, token => (token.startsWith('//') || token.startsWith('/*') ? ' ' : token));
}

/** What stands in `${ }` of a template is kept: it is code. */
export function withoutCommentsAndTexts(text: string): string {
  return replaceTokens(text, token => (token.startsWith('/') ? ' ' : "''"));
}

function replaceTokens(text: string, replace: (token: string) => string): string {
  let out = '';
  let at = 0;
  while (at < text.length) {
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(text);
    if (found === null) return out + text.slice(at);
    out += text.slice(at, found.index);
    if (found[0] !== '`') {
      out += replace(found[0]);
      at = TOKEN.lastIndex;
      continue;
    }
    const template = templateEnd(text, found.index);
    const whole = text.slice(found.index, template.end);
    const kept = replace(whole);
    out += kept === whole ? whole : template.code.map(code => ` ${replaceTokens(code, replace)} `).join('');
    at = template.end;
  }
  return out;
}

/** Walks a template literal that opens at `start`; templates may be nested in its `${ }`. */
function templateEnd(text: string, start: number): { readonly end: number; readonly code: readonly string[] } {
  const code: string[] = [];
  let at = start + 1;
  while (at < text.length && text[at] !== '`') {
    if (text[at] === '\\') at += 2;
    else if (text.startsWith('${', at)) {
      const from = at + 2;
      at = braceEnd(text, from);
      code.push(text.slice(from, at));
      at += 1;
    } else at += 1;
  }
  return { end: at + 1, code };
}

function braceEnd(text: string, from: number): number {
  let at = from;
  for (let depth = 1; at < text.length; at++) {
    const char = text[at];
    if (char === '`') at = templateEnd(text, at).end - 1;
    else if (char === "'" || char === '"') at = text.indexOf(char, at + 1);
    else if (char === '{') depth += 1;
    else if (char === '}' && --depth === 0) break;
  }
  return at;
}
