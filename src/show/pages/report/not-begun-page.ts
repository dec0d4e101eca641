/** The page of a run that stopped before it began: it takes the place of its report, so that an earlier one is not taken for it. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pageBundle, typeSheet } from '../../../machine/files/page-bundle.ts';
import type { Clock } from '../../../machine/time/clock.ts';
import { safeLines } from '../../../model/text/clean.ts';
import { xmlText } from '../../../model/text/markup.ts';
import { PAGE_SIGN, pageDocument } from '../page-document.ts';
import { replaceReport } from './report-folder.ts';
import { GENERATOR } from './report-html.ts';

interface NotBegunPage {
  /** The film's file as a person typed it. */
  readonly file: string;
  /** Why, in a few words: `a budget is reached`. */
  readonly brief: string;
  /** Of the command; absent where a program ran it. */
  readonly exit?: number;
  /** The command's messages, as on the screen. */
  readonly lines: readonly string[];
}

/** @throws {Refusal} where the place is not ours, or the disk fails. */
export async function writeNotBegun(folder: string, page: NotBegunPage, clock: Pick<Clock, 'now'>): Promise<void> {
  const document = await notBegunHtml(page);
  await replaceReport(folder, clock, draft => writeFile(join(draft, 'index.html'), document));
}

async function notBegunHtml(page: NotBegunPage): Promise<string> {
  const [{ style }, type] = await Promise.all([pageBundle('report'), typeSheet()]);
  return pageDocument({
    title: `${safeLines(page.file)} was not begun · Shotlist`,
    generator: GENERATOR,
    bundle: { script: '', style },
    type,
    body: bodyOf(page),
    data: null,
  });
}

const bodyOf = ({ file, brief, exit, lines }: NotBegunPage): string => `<header class="top mid">
<span class="brand mid">${PAGE_SIGN}Shotlist</span>
</header>
<main class="not-begun">
<h1>${xmlText(file)} was not begun</h1>
<p>${xmlText(brief)}${exit === undefined ? '' : ` (exit code ${exit})`}. Nothing was made, and nothing was paid for.</p>
${lines.map((text, n) => `<pre tabindex="0" role="region" aria-label="What was said, ${n + 1}">${xmlText(text)}</pre>`).join('\n')}
<p class="soft">What ran before is kept: <code>shotlist report ${xmlText(file)}</code> draws it.</p>
</main>`;
