/** What stands above each step: its price, and what it gave last, which a click opens. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeLens } from 'vscode-languageserver/node';
import { compile } from '../language/compile.ts';
import { lastResults } from '../session/last-results.ts';
import { filmOf } from '../session/state-folders.ts';
import type { Checking } from './checking.ts';
import type { Document } from './document.ts';
import type { EditorHost } from './editor-host.ts';
import { stepsOf } from './expected.ts';
import { rangeIn, uriOf } from './protocol.ts';
import { type StepFacts, stepFacts, studioPrices } from './step-facts.ts';

/** What a code lens asks its editor for, and where the editor has no such command, the server. */
export const OPEN = 'shotlist.open';

type Facts = ReadonlyMap<string, StepFacts>;

export class StepLenses {
  readonly #host: EditorHost;
  readonly #checking: Pick<Checking, 'media'>;
  readonly #facts = new Map<string, { readonly of: Document; readonly facts: Promise<Facts> }>();

  constructor(host: EditorHost, checking: Pick<Checking, 'media'>) {
    this.#host = host;
    this.#checking = checking;
  }

  forget(uri: string): void {
    this.#facts.delete(uri);
  }

  /** By the names of steps. Of one text once. */
  factsOf(document: Document): Promise<Facts> {
    const known = this.#facts.get(document.uri);
    if (known?.of === document) return known.facts;
    const facts = this.#findFacts(document).catch(() => new Map<string, StepFacts>());
    this.#facts.set(document.uri, { of: document, facts });
    return facts;
  }

  async lensesOf(document: Document): Promise<CodeLens[] | null> {
    if (!document.survey) return null;
    const facts = await this.factsOf(document);
    const { source, uri } = document;
    const lenses: CodeLens[] = [];
    for (const { name, nameAt } of stepsOf(document.survey.node)) {
      const { price, last, newest } = facts.get(name) ?? {};
      const range = rangeIn(source, nameAt);
      if (price !== undefined) lenses.push({ range, command: { title: price, command: '' } });
      const made = newest?.content && (await this.#contentOf(document, newest.content.sha256));
      if (last !== undefined)
        lenses.push({
          range,
          command:
            made === undefined
              ? { title: last, command: '' }
              : { title: last, command: OPEN, arguments: [uriOf(made), { film: uri, key: newest?.key }] },
        });
    }
    return lenses;
  }

  async #findFacts(document: Document): Promise<Facts> {
    const { source, library, files, file } = document;
    const { env } = this.#host;
    const media = await this.#checking.media(document);
    const { findByPlanning } = await import('../plan/check.ts');
    const { soundPart, diagnostics } = compile(source, library, { files });
    const parts = { soundPart, readablePart: () => undefined };
    const context = { library, env, localMedia: (path: string) => media.get(path), pricing: studioPrices(library) };
    let planned = findByPlanning(parts, diagnostics, context);
    while (await media.load()) planned = findByPlanning(parts, diagnostics, context);
    const project = file === undefined ? undefined : await this.#host.projectOf(file);
    const results = project ? lastResults(project.stateFolder, filmOf(project, undefined)) : [];
    return stepFacts(planned.plan, results);
  }

  /** Where the store of this machine has it; undefined where it has it no more. */
  async #contentOf({ file }: Document, sha256: string): Promise<string | undefined> {
    if (file === undefined || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
    const { stateFolder } = await this.#host.projectOf(file);
    const folder = join(stateFolder, 'store', sha256.slice(0, 2));
    try {
      const name = readdirSync(folder).find(one => one.startsWith(`${sha256}-`));
      return name === undefined ? undefined : join(folder, name);
    } catch {
      return undefined;
    }
  }
}
