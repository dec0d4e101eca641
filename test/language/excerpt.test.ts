import { describe, expect, it } from 'vitest';
import { formatDiagnostic, formatDiagnostics, position } from '../../src/language/yaml/excerpt.ts';
import type { Diagnostic } from '../../src/model/diagnostic.ts';

/** A diagnostic about the first occurrence of `word` in the text. */
function about(text: string, word: string, more: Partial<Diagnostic> = {}): Diagnostic {
  const start = text.indexOf(word);
  return {
    severity: 'error',
    code: 'x',
    message: 'wrong',
    source: { path: 'film.yaml', text },
    span: { start, end: start + word.length },
    ...more,
  };
}

const shown = (text: string, word: string): string => `\n${formatDiagnostic(about(text, word))}`;

describe('the excerpt', () => {
  it('stands under its line, with the caret under the word', () => {
    expect(shown('one: 1\ntwo: 2\nthree: 3\n', '2')).toBe(`
film.yaml:2:6: error: wrong
  2 | two: 2
    |      ^`);
  });

  it('keeps the caret in place behind tabs, wide characters and combining marks', () => {
    expect(shown('a:\tb\tword\n', 'word')).toBe(`
film.yaml:1:6: error: wrong
  1 | a:  b   word
    |         ^^^^`);
    expect(shown('提示: 狐狸 word\n', '狐狸')).toBe(`
film.yaml:1:5: error: wrong
  1 | 提示: 狐狸 word
    |       ^^^^`);
    expect(shown('a: 🦊 fox\n', 'fox')).toBe(`
film.yaml:1:6: error: wrong
  1 | a: 🦊 fox
    |       ^^^`);
    expect(shown('cafe\u0301: word\n', 'word')).toBe(`
film.yaml:1:8: error: wrong
  1 | cafe\u0301: word
    |       ^^^^`);
  });

  it('cuts a long line around the caret', () => {
    expect(shown(`prompt: ${'left '.repeat(100)}word ${'right '.repeat(100)}\n`, 'word')).toBe(`
film.yaml:1:509: error: wrong
  1 | …left left left left left left word right right right right right right right right right right rig…
    |                                ^^^^`);
    expect(shown(`prompt: ${'狐'.repeat(300)}word${'狸'.repeat(300)}\n`, 'word')).toBe(`
film.yaml:1:309: error: wrong
  1 | …狐狐狐狐狐狐狐狐狐狐狐狐狐狐狐word狸狸狸狸狸狸狸狸狸狸狸狸狸狸狸狸狸狸狸狸狸狸狸狸狸狸狸狸狸狸狸狸…
    |                                ^^^^`);
  });

  it('marks the first line of what spans several, and one cell of what has no width', () => {
    expect(shown('a: b\nc: d\n', 'b\nc')).toBe(`
film.yaml:1:4: error: wrong
  1 | a: b
    |    ^`);
    expect(shown('a:\n', '\n')).toBe(`
film.yaml:1:3: error: wrong
  1 | a:
    |   ^`);
    expect(shown('', '')).toBe(`
film.yaml:1:1: error: wrong
  1 |
    | ^`);
  });

  it('lets nothing from the file move the cursor', () => {
    expect(shown('a: \u001b[2Jx \u202eword\n', 'word')).toBe(`
film.yaml:1:11: error: wrong
  1 | a: \ufffd[2Jx \ufffdword
    |           ^^^^`);
  });

  it('shows notes below, with one gutter for all', () => {
    const text = `${'a\n'.repeat(9999)}name: x\n`;
    const diagnostic = about(text, 'name', { notes: [{ message: 'first declared here', span: { start: 0, end: 1 } }] });
    expect(`\n${formatDiagnostic(diagnostic)}`).toBe(`
film.yaml:10000:1: error: wrong
 10000 | name: x
       | ^^^^
       note: film.yaml:1:1: first declared here
     1 | a
       | ^`);
  });

  it('is coloured when asked to', () => {
    expect(formatDiagnostic(about('two: 2\n', '2', { severity: 'warning' }), { color: true })).toBe(
      [
        '\u001b[1mfilm.yaml:1:6\u001b[0m: \u001b[33mwarning:\u001b[0m \u001b[1mwrong\u001b[0m',
        '\u001b[2m  1 |\u001b[0m two: 2',
        '\u001b[2m    |\u001b[0m      \u001b[33m^\u001b[0m',
      ].join('\n'),
    );
  });

  it('several are sorted by place and counted', () => {
    const text = 'one: 1\ntwo: 2\n';
    expect(
      `\n${formatDiagnostics([about(text, '2'), about(text, '1', { severity: 'warning' }), about(text, 'one')])}`,
    ).toBe(`
film.yaml:1:1: error: wrong
  1 | one: 1
    | ^^^

film.yaml:1:6: warning: wrong
  1 | one: 1
    |      ^

film.yaml:2:6: error: wrong
  2 | two: 2
    |      ^

2 errors, 1 warning`);
    expect(formatDiagnostics([])).toBe('');
  });

  it('nobody reads more than two hundred', () => {
    const text = 'one: 1\n';
    const lines = formatDiagnostics(Array.from({ length: 250 }, () => about(text, '1'))).split('\n');
    expect(lines.slice(-4)).toEqual(['', '… and 50 more', '', '250 errors']);
  });

  it('counts columns in characters', () => {
    expect(position({ path: 'a', text: 'a\r\n🦊🦊b' }, 7)).toEqual({ line: 2, column: 3 });
  });
});
