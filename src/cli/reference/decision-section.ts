/** A section of the guide's page about recovering, for a terminal. The guide lies in the package, beside the films. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { wrapWords } from '../../domain/cells.ts';
import { DECISION_PAGES, type DecisionPage } from '../../domain/decision-page.ts';

export const isDecisionPage = (word: string): word is DecisionPage => DECISION_PAGES.some(page => page === word);

/** What a reader sees, wrapped into `width` cells; commands stand apart and whole. */
export function decisionSection(page: DecisionPage, width: number): string {
  const path = fileURLToPath(guideFile(import.meta.url));
  return terminalText(sectionOf(readFileSync(path, 'utf8'), page), width);
}

const guideFile = (from: string): URL =>
  new URL(from.endsWith('.ts') ? '../../../pipelines/guide/recovering.md' : '../pipelines/guide/recovering.md', from);

/** From its heading to the next. @throws where the guide has no such heading: a test holds the two together. */
function sectionOf(markdown: string, page: DecisionPage): string {
  const [, after] = markdown.split(`\n## ${page}\n`);
  if (after === undefined) throw new Error(`the guide has no section ${page}`);
  return after.split('\n## ')[0]?.trim() ?? '';
}

/** Paragraphs are wrapped, blocks of commands set in, links told by their words alone. */
function terminalText(markdown: string, width: number): string {
  const blocks = markdown.split(/\n\n+/).map(block => {
    const code = /^```\w*\n([\s\S]*?)\n```$/.exec(block)?.[1];
    if (code !== undefined) return code.split('\n').map(line => `    ${line}`);
    const plain = block.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, '$1').replaceAll('**', '');
    if (!plain.startsWith('> ')) return wrapWords(plain.replaceAll('\n', ' '), width);
    return wrapWords(plain.slice(2).replaceAll('\n> ', ' '), width - 2).map(line => `  ${line}`);
  });
  return blocks.map(lines => lines.join('\n')).join('\n\n');
}
