/** Above each step: its price, and what it gave last, which a click opens. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CodeLens } from 'vscode-languageserver/node';
import type { Pricing } from '../api/catalog.ts';
import type { LastResult } from '../app/reports/last-results.ts';
import { lastResults } from '../app/reports/last-results.ts';
import { filmOf } from '../app/state-folders.ts';
import { compile } from '../language/compile.ts';
import type { ModelLibrary } from '../model/model.ts';
import type { Plan } from '../model/plan.ts';
import { formatUsd } from '../model/text/format.ts';
import type { Checking } from './checking.ts';
import { stepsOf } from './complete/expected.ts';
import type { Document } from './document.ts';
import type { EditorHost } from './editor-host.ts';
import { rangeIn, uriOf } from './protocol.ts';

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

export interface StepFacts {
  /** `3 × about $0.30, $0.90`; of what costs nothing `free`. */
  readonly price?: string;
  /** `made 2026-11-22 14:03, $0.28` */
  readonly last?: string;
  readonly newest?: LastResult;
}

const studioPrices = (library: ModelLibrary): ReadonlyMap<string, Pricing> =>
  new Map(library.labels.map(label => [label, library.get(label)?.pricing as unknown as Pricing]));

function stepFacts(plan: Plan | undefined, results: readonly LastResult[]): ReadonlyMap<string, StepFacts> {
  const facts = new Map<string, StepFacts>();
  for (const [step, price] of prices(plan)) facts.set(step, { price });
  for (const [step, all] of Map.groupBy(results, ({ key }) => topStep(key))) {
    const newest = all.reduce((a, b) => (b.at > a.at ? b : a));
    facts.set(step, { ...facts.get(step), last: lastText(newest, all.length), newest });
  }
  return facts;
}

/** What is inside a `uses` step, a judge or a round counts for the step that brings it in. */
const topStep = (key: string): string => key.split(/[[/]/)[0]!;

interface Cost {
  instances: number;
  usd: number;
  unpriced: number;
}

function prices(plan: Plan | undefined): ReadonlyMap<string, string> {
  const costs = new Map<string, Cost>();
  const costOf = (step: string): Cost => {
    const cost = costs.get(step) ?? { instances: 0, usd: 0, unpriced: 0 };
    costs.set(step, cost);
    return cost;
  };
  if (!plan) return new Map();
  for (const { key, step, price, decision } of plan.instances) {
    const cost = costOf(topStep(key));
    if (decision.is === 'skip' || decision.is === 'left_out') continue;
    if (!step.name.includes('/')) cost.instances++;
    cost.usd += price ?? 0;
    if (price === null) cost.unpriced++;
  }
  const texts = new Map([...costs].map(([step, cost]) => [step, priceText(cost)]));
  for (const { step, usd, most } of plan.open)
    if (!step.includes('/'))
      texts.set(
        step,
        `${most === undefined ? '×?' : `at most ${most} ×`}, ${usd === null ? 'price not known' : `at most ${formatUsd(usd)}`}`,
      );
  return texts;
}

function priceText({ instances, usd, unpriced }: Cost): string {
  const times = instances > 1 ? `${instances} ×, ` : '';
  if (unpriced > 0) return `${times}${usd > 0 ? `${formatUsd(usd)} and more: ` : ''}price not known`;
  return usd === 0 ? `${times}free` : `${times}${formatUsd(usd)}`;
}

function lastText({ at, cost, key }: LastResult, count: number): string {
  const when = new Date(at).toISOString().replace('T', ' ').slice(0, 16);
  const paid = cost === null ? '' : cost === 0 ? ', free' : `, ${formatUsd(cost)}`;
  return `${count > 1 ? `${count} made, ${key} last on` : 'made on'} ${when} UTC${paid}`;
}
