/** Placeholders of other systems, and expressions without their braces. */
import { error, mended, quoted, warning } from './wording.ts';

export const placeholderMessages = {
  foreignSyntax: (advice: string, written: string, by: string | undefined) =>
    mended(error('bad-expression', advice), written, by),
  openText: (quote: string) =>
    `bad-expression: a quoted text never ends; a \`${quote}\` inside it is written \`\\${quote}\`, or write \`${quote === "'" ? '"…"' : "'…'"}\` around it`,
  placeholder: (written: string, meant: string | undefined) =>
    mended(
      `placeholder: ${quoted(written)} would be sent as it stands; write ${meant === undefined ? '`${{ … }}` around what it should read' : `\`\${{ ${meant} }}\``}, or \`\\${written.slice(0, 2)}\` to keep it as it is`,
      written,
      meant && `\${{ ${meant} }}`,
    ),
  placeholderInDefault: (written: string) =>
    `placeholder: ${quoted(written)} would be sent as it stands, and a default holds no expressions; write \`\\${written.slice(0, 2)}\` to keep it as it is`,
  variable: (written: string, meant: string) =>
    mended(
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
        ? `${quoted(written)} would be sent as it stands; write remarks behind \`#\`, outside of the text`
        : `${quoted(written)} would be sent as it stands; have a step \`run\` it, and read its \`stdout\`, or write \`\\${written.slice(0, 2)}\` to keep it as it is`,
    ),
  block: (written: string) =>
    `placeholder: ${quoted(written)} would be sent as it stands; write \`\${{ … ? … : … }}\` for a choice, and \`matrix\` for a list, or \`\\{%\` to keep it as it is`,
  bareExpression: (path: string, written = path) =>
    mended(
      `bare-expression: \`${written}\` is read as a plain text; write \`\${{ ${path} }}\``,
      written,
      `\${{ ${path} }}`,
    ),
};
