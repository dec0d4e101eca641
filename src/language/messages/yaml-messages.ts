/** What stops a text from being read at all. */
import { inQuotes } from './foreign/flow-text.ts';
import { and, error, lowerFirst, quoted, warning, withSuggestion } from './foreign/wording.ts';

export const yamlMessages = {
  notUtf8: () => 'not-utf8: the file is not UTF-8 text; save it as UTF-8',
  emptyFile: () => 'empty-file: the file is empty; start it with `shotlist: 1`, a `name` and `steps`',
  notAMapping: () => 'not-a-mapping: a pipeline is a mapping; start the file with `shotlist: 1`',
  oldYaml: (version: string) =>
    `yaml-version: YAML ${version} reads \`9:16\` as the number 556 and \`off\` as false; take the %YAML line out (files are YAML 1.2)`,
  secondDocument: () => 'second-document: a file holds one pipeline; put what follows this line into a file of its own',
  tab: () => 'tab: a tab in the indentation; indent with spaces',
  unquotedExpression: (text: string) =>
    withSuggestion(
      `unquoted-expression: inside [ ] and { } an expression must be quoted; write \`${inQuotes(text)}\``,
      text,
      inQuotes(text),
    ),
  colonInText: () => 'colon-in-text: a text that holds `: ` must be quoted; put "…" around the whole text',
  /** @param written with quotes around it that do not serve, and over as many lines as it has. */
  colonInExpression: (written: string) => {
    const by = inQuotes(written.replace(/^(["'])(.*)\1$/s, '$2').replaceAll(/\s*\n\s*/g, ' '));
    return withSuggestion(
      `colon-in-text: an expression that holds \`: \` must be quoted; write \`${by}\``,
      written,
      by,
    );
  },
  reservedStart: (character: string) =>
    `reserved-start: a text cannot start with \`${character}\`; put "…" around the whole text`,
  badIndent: () => 'bad-indent: this line is indented unlike its neighbours; line up the keys of one mapping',
  deeperLine: (above: string | undefined) =>
    error(
      'bad-indent',
      above === undefined
        ? 'this line is deeper than the value above it; line up the keys of one mapping'
        : `this line is deeper than \`${above}\` above it, which has a value already; line it up with \`${above}\`, or put "…" around a text of several lines`,
    ),
  keyWithoutColon: (line: string) => {
    const [, name, value = ''] = /^([\w-]+)(?: *= *(.+))?$/.exec(line) ?? [];
    const meant = name === undefined ? 'key: value' : `${name}:${value && ` ${value}`}`;
    return withSuggestion(`missing-colon: a key needs a colon; write \`${meant}\``, line, name && meant);
  },
  dashInMapping: () =>
    'dash-in-mapping: a `-` begins an entry of a list, and here are the keys of a mapping; take the `-` out',
  textBehindSign: (sign: string) =>
    `text-behind-sign: behind \`${sign}\` a text begins on the next line, indented; put it there, or take the \`${sign}\` out`,
  textNotIndented: (sign: string) =>
    `bad-indent: the text behind \`${sign}\` is indented deeper than its key; indent it`,
  slashes: () => withSuggestion('comment: a comment begins with `#`; write `#`', '//', '#'),
  quoteInText: (quote: string) =>
    error(
      'text-after-end',
      quote === '"'
        ? 'the text ends at its second `"`; write `\\"` for a quote inside it, or put \'…\' around the whole text'
        : "the text ends at its second `'`; write `''` for a quote inside it, or put \"…\" around the whole text",
    ),
  openQuote: () => 'open-quote: a quoted text is never closed; add the closing quote',
  escapeInQuotes: (written: string) =>
    `escape-in-quotes: inside "…" a backslash is written twice; write \`\\${written}\`, or put the text in '…'`,
  openBracket: (close: string) =>
    `open-bracket: a \`${close === '}' ? '{' : '['}\` is never closed; add \`${close}\`, and indent what stands between them`,
  missingComma: (key?: string) =>
    error(
      'missing-comma',
      key === undefined
        ? 'entries are not separated; put a comma between them'
        : `\`${key}\` follows without a comma; put a comma before \`${key}\`, or "…" around a text that holds \`: \``,
    ),
  commentBlank: () => 'comment-blank: a `#` right behind a value; put a blank before a comment, or "…" around the text',
  dashWithoutBlank: (line: string) =>
    `dash-blank: a \`-\` of a list has a blank behind it, so this is one text; write \`- ${line.slice(1)}\``,
  hashInText: (kept: string) =>
    warning(
      `hash-in-text: a blank and \`#\` begin a comment, so the text is only ${quoted(kept)}; put "…" around the whole text, or a blank behind the \`#\` of a comment`,
    ),
  hashInBrackets: (kept: string) =>
    `hash-in-text: a blank and \`#\` begin a comment, so the text ends at ${quoted(kept)} and its bracket is never closed; put "…" around the whole text`,
  anchorInText: (name: string, kept: string) =>
    warning(
      `anchor-in-text: \`&${name}\` is read as an anchor that nothing reads, so the text is only ${quoted(kept)}; put "…" around the whole text, or take the anchor out`,
    ),
  colonBlank: () => 'colon-blank: a colon needs a blank behind it; write `key: value`',
  starInText: () => 'star-in-text: a text that starts with `*` is read as an alias; put "…" around the whole text',
  textAfterEnd: () => 'text-after-end: text follows where the value has ended; put "…" around the whole text',
  badYaml: (message: string) =>
    `yaml: ${lowerFirst(message.split(' at line ')[0]!.replace(/[:\s]+$/, ''))}; this is not valid YAML`,
  tooDeep: (limit: number) => `too-deep: nested deeper than ${limit} levels; flatten it`,
  keyNotText: () => 'key-not-text: a key must be a plain text; lists and mappings cannot be keys',
  protoKey: () => 'reserved-key: `__proto__` cannot be a key; choose another name',
  mergeKey: () =>
    'merge-key: `<<` is not merged in YAML 1.2; write the keys out, or put what steps share under `defaults:`',
  duplicateKey: (name: string) => `duplicate-key: \`${name}\` is declared twice; keep one`,
  unknownAnchor: (name: string, known: readonly string[]) =>
    `unknown-anchor: \`*${name}\` has no anchor \`&${name}\` above it; ${known.length > 0 ? `anchors are ${and(known)}` : 'declare it first, or quote the text if it is no alias'}`,
  selfAlias: (name: string) => `self-alias: \`*${name}\` stands inside its own anchor; a value cannot hold itself`,
  aliasBomb: (limit: number) => `alias-bomb: aliases multiply to more than ${limit} values; write fewer of them`,
  /** @param inText whether words follow. */
  unknownTag: (tag: string, inText = false) => {
    const shown = tag.replace('tag:yaml.org,2002:', '!!');
    return error(
      'unknown-tag',
      inText
        ? `a text that starts with \`!\` is read as a tag, and \`${shown}\` is none; put "…" around the whole text`
        : `the tag \`${shown}\` means nothing here; take it out`,
    );
  },
  notFinite: () => 'not-finite: infinity and not-a-number cannot be sent; give a number',
  tooBigToBeExact: () =>
    'inexact-number: this whole number is too big to be exact (beyond ±9007199254740991); quote it if it is a text, or use a smaller one',
};
