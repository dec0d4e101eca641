/** Expressions that cannot be read. */
import type { CodeProblem } from '../expression/tokens.ts';
import { error, quoted, warning, withSuggestion } from './foreign/wording.ts';

export const syntaxMessages = {
  openExpression: () => 'open-expression: `${{` is never closed; add `}}`',
  emptyExpression: () => 'empty-expression: an empty expression has no value; write something between `${{` and `}}`',
  codeProblem: (problem: CodeProblem) => {
    const bad = (reason: string) => `bad-expression: ${reason}; this is not a valid expression`;
    switch (problem.kind) {
      case 'early-end':
        return 'bad-expression: it ends too early; finish it';
      case 'expected':
        if (problem.found === undefined)
          return error(
            'bad-expression',
            problem.what === '`:`'
              ? 'it says only what is taken when the condition holds; add `: …` for the other case'
              : `it ends too early; add ${problem.what}`,
          );
        return bad(`expected ${problem.what}, but there is ${problem.found}`);
      case 'unexpected':
        return /^`[\w"']/.test(problem.found)
          ? `bad-expression: ${problem.found} follows another value; put an operator between them`
          : bad(`${problem.found} does not fit here`);
      case 'character':
        return bad(`${quoted(problem.text)} does not fit here`);
      case 'open-text':
        return 'bad-expression: this text is never closed; add its quote, and write a new line as `\\n`';
      case 'escape':
        return `bad-expression: ${quoted(problem.text)} is no escape; write \`\\\\\` for a backslash, or \`r'…'\` for a text without escapes`;
      case 'number':
        return `bad-expression: ${quoted(problem.text)} is no number of 64 bits; check it`;
      case 'spelling':
        return withSuggestion(
          `bad-expression: ${quoted(problem.text)} is written \`${problem.instead}\` here; change it`,
          problem.text,
          /^\W+$/.test(problem.instead) ? problem.instead : undefined,
        );
      case 'comment':
        return 'bad-expression: a comment would hide the rest of an expression of one line; take it out, or put it behind a `#` outside of the text';
      case 'reserved':
        return `bad-name: \`${problem.word}\` is a word of the expression language; choose another name`;
      case 'not-a-type':
        return error(
          'not-offered',
          problem.of === 'bytes'
            ? `${quoted(problem.text)} is bytes, which no field can hold; write it without \`b\``
            : `${quoted(problem.text)} is an unsigned number, and numbers have no such kind here; write it without \`u\``,
        );
      case 'variable':
        return `bad-call: \`${problem.loop}\` is written ${problem.loop === 'cel.bind' ? '`cel.bind(name, value, expression)`' : `\`list.${problem.loop}(name, ${BODY[problem.loop] ?? 'condition'})\``}; the name is yours, and stands for each item`;
      case 'has':
        return 'bad-call: `has` asks whether a field is there; write `has(steps.NAME.json.field)`';
      case 'depth':
        return `too-deep: the expression is nested more than ${problem.limit} deep; split it`;
      case 'length':
        return `too-long: the expression is longer than ${problem.limit} characters; split it`;
    }
  },
};

const BODY: Readonly<Record<string, string>> = { map: 'expression', sortBy: 'key' };

/** Placeholders of other systems, and expressions without their braces. */
export const placeholderMessages = {
  foreignSyntax: (advice: string, written: string, by: string | undefined) =>
    withSuggestion(error('bad-expression', advice), written, by),
  openText: (quote: string) =>
    `bad-expression: a quoted text never ends; a \`${quote}\` inside it is written \`\\${quote}\`, or write \`${quote === "'" ? '"…"' : "'…'"}\` around it`,
  placeholder: (written: string, meant: string | undefined) =>
    withSuggestion(
      `placeholder: ${quoted(written)} would be sent as it stands; write ${meant === undefined ? '`${{ … }}` around what it should read' : `\`\${{ ${meant} }}\``}, or \`\\${written.slice(0, 2)}\` to keep it as it is`,
      written,
      meant && `\${{ ${meant} }}`,
    ),
  placeholderInDefault: (written: string) =>
    `placeholder: ${quoted(written)} would be sent as it stands, and a default holds no expressions; write \`\\${written.slice(0, 2)}\` to keep it as it is`,
  variable: (written: string, meant: string) =>
    withSuggestion(
      warning(
        `placeholder: ${quoted(written)} is sent as it stands; write \`\${{ ${meant} }}\`, or \`\\${written}\` to keep it as it is`,
      ),
      written,
      `\${{ ${meant} }}`,
    ),
  notSent: (written: string) =>
    error(
      'placeholder',
      written.startsWith('{#')
        ? `${quoted(written)} would be sent as it stands; write comments behind \`#\`, outside of the text`
        : `${quoted(written)} would be sent as it stands; have a step \`run\` it, and read its \`stdout\`, or write \`\\${written.slice(0, 2)}\` to keep it as it is`,
    ),
  block: (written: string) =>
    `placeholder: ${quoted(written)} would be sent as it stands; write \`\${{ … ? … : … }}\` for a choice, and \`matrix\` for a list, or \`\\{%\` to keep it as it is`,
  bareExpression: (path: string, written = path) =>
    withSuggestion(
      `bare-expression: \`${written}\` is read as a plain text; write \`\${{ ${path} }}\``,
      written,
      `\${{ ${path} }}`,
    ),
};
