/** A film made on paper: what a run would leave behind, without a service. */
import type { Pricing } from '../../src/api/catalog.ts';
import { modelLibrary } from '../../src/api/model-library.ts';
import { compile } from '../../src/language/compile.ts';
import { formatDiagnostics } from '../../src/language/yaml/excerpt.ts';
import type { MediaFacts } from '../../src/model/media/media.ts';
import type { Pipeline } from '../../src/model/pipeline.ts';
import type { Instance, Owned, Plan, SentRequest } from '../../src/model/plan.ts';
import type { GenerationId, InstanceKey } from '../../src/model/run/key.ts';
import type { Asked, MediaResult, Result } from '../../src/model/run/result.ts';
import { NO_SELECTION, type Selection } from '../../src/model/selector.ts';
import type { JsonObject } from '../../src/model/text/json.ts';
import { flatten } from '../../src/plan/owned/asked-fields.ts';
import { type LocalMedia, type PlanContext, type Planned, plan, type UnusableFile } from '../../src/plan/plan.ts';
import { resolve } from '../../src/plan/values/resolve.ts';
import { formatPlan } from '../../src/show/plan/plan-text.ts';
import { linesOf } from '../language/said.ts';

export const studioPrices: ReadonlyMap<string, Pricing> = new Map(
  modelLibrary.labels.map(label => [label, modelLibrary.get(label)?.pricing as unknown as Pricing]),
);

export function compiled(steps: string): Pipeline {
  const text = steps.startsWith('shotlist:') ? steps : `shotlist: 1\nname: film\n${steps.trimStart()}`;
  const { pipeline, diagnostics } = compile({ path: 'film.yaml', text }, modelLibrary);
  if (!pipeline) throw new Error(formatDiagnostics(diagnostics));
  return pipeline;
}

export interface World {
  readonly params?: JsonObject;
  readonly service?: string;
  readonly chatBy?: string | undefined;
  readonly env?: JsonObject;
  readonly owned?: Owned;
  readonly files?: { readonly [path: string]: LocalMedia | UnusableFile };
  readonly pricing?: ReadonlyMap<string, Pricing>;
  readonly expected?: (model: string) => number | undefined;
  readonly selection?: Partial<Selection>;
  readonly choices?: PlanContext['choices'];
}

export function contextOf(world: World = {}): PlanContext {
  return {
    params: world.params ?? {},
    library: modelLibrary,
    pricing: world.pricing ?? studioPrices,
    service: world.service ?? 'studio',
    chatBy: world.chatBy,
    env: world.env ?? {},
    run: { id: 'r1', name: 'film' },
    owned: world.owned ?? new Shelf(),
    localMedia: path => world.files?.[path],
    choices: world.choices,
    ...(world.expected && { expected: world.expected }),
    ...(world.selection && { selection: { ...NO_SELECTION, ...world.selection } }),
  };
}

export const planned = (steps: string, world: World = {}): Planned => plan(compiled(steps), contextOf(world));

/** What a person sees: the plan, or a line for each mistake. */
export function shown(steps: string, world: World & { readonly width?: number; readonly all?: boolean } = {}): string {
  const { plan: made, diagnostics } = planned(steps, world);
  if (!made) return linesOf(diagnostics);
  return formatPlan(made, { width: world.width ?? 80, ...(world.all !== undefined && { all: world.all }) });
}

/** Lines of a plan that hold one of these words, as they are shown. */
export const linesWith = (text: string, ...words: readonly string[]): string =>
  text
    .split('\n')
    .filter(line => words.some(word => line.includes(word)))
    .join('\n');

export function planOf(steps: string, world: World = {}): Plan {
  const { plan: made, diagnostics, unselectable = [] } = planned(steps, world);
  if (!made) throw new Error([formatDiagnostics(diagnostics), ...unselectable].join('\n').trim());
  return made;
}

/** `key: decision, why` for each instance. */
export const decisions = (made: Plan): readonly string[] =>
  [...made.instances].map(({ key, decision }) => `${key}: ${decision.is}, ${decision.why}`);

/** What is on this machine. */
export class Shelf implements Owned {
  readonly #sent = new Map<string, SentRequest>();
  readonly #byFingerprint = new Map<string, Result>();
  readonly #atService = new Map<string, MediaResult>();
  readonly #asked = new Map<InstanceKey, readonly Asked[]>();
  readonly #last = new Map<InstanceKey, { readonly fingerprint: string; readonly request: JsonObject | null }>();

  find(fingerprint: string): Result | undefined {
    return this.#byFingerprint.get(fingerprint);
  }

  sent(fingerprint: string): SentRequest | undefined {
    return this.#sent.get(fingerprint);
  }

  /** It was sent, and the run ended before it was there. */
  leaveOpen({ fingerprint = '' }: Instance, sent: SentRequest): void {
    this.#byFingerprint.delete(fingerprint);
    this.#sent.set(fingerprint, sent);
  }

  last(key: InstanceKey) {
    return this.#last.get(key);
  }

  askedBefore(key: InstanceKey): readonly Asked[] | undefined {
    return this.#asked.get(key);
  }

  atService(fingerprint: string): MediaResult | undefined {
    return this.#atService.get(fingerprint);
  }

  /** Its bytes go from this machine; the lock still knows its generation. */
  leaveAtService(key: InstanceKey): void {
    const fingerprint = this.#last.get(key)?.fingerprint ?? '';
    const result = this.#byFingerprint.get(fingerprint);
    if (result?.is !== 'media') throw new Error(`${key} made no media`);
    this.#atService.set(fingerprint, { ...result, result_url: `generation:${result.generation_id}` });
    this.lose(key);
  }

  /** What carrying this out gave. */
  put({ key, fingerprint, request }: Instance, result: Result): void {
    if (fingerprint === undefined) throw new Error(`${key} is not all known`);
    this.#last.set(key, { fingerprint, request: request ?? null });
    this.#byFingerprint.set(fingerprint, result);
  }

  lose(key: InstanceKey): void {
    this.#byFingerprint.delete(this.#last.get(key)?.fingerprint ?? '');
  }

  /** Carries a plan out in its order, with the very code a run uses. Every result differs from every other. */
  make(made: Plan, world: World = {}): ReadonlyMap<InstanceKey, ReturnType<typeof resolve>> {
    const results = new Map<InstanceKey, Result | 'skipped'>();
    const outcomes = new Map<InstanceKey, ReturnType<typeof resolve>>();
    for (const instance of made.instances) {
      const resolved = resolve(made, instance, key => results.get(key), contextOf(world));
      outcomes.set(instance.key, resolved);
      if (resolved.is === 'skip') results.set(instance.key, 'skipped');
      if (resolved.is === 'outputs') results.set(instance.key, resolved.result);
      if ('asks' in resolved)
        this.#asked.set(instance.key, [...(this.#asked.get(instance.key) ?? []), flatten(resolved.asks)]);
      if (resolved.is === 'cut') {
        this.#byFingerprint.set(resolved.fingerprint, media(instance.key, { kind: 'video' }));
        results.set(instance.key, media(instance.key, { kind: 'video' }));
      }
      if (resolved.is !== 'request' && resolved.is !== 'command') continue;
      const { fingerprint } = resolved;
      const request = resolved.is === 'request' ? resolved.request : null;
      this.#last.set(instance.key, { fingerprint, request });
      const result =
        this.#byFingerprint.get(fingerprint) ??
        (resolved.is === 'request'
          ? media(`${instance.key}/${fingerprint}`, instance.facts ?? { kind: 'video' })
          : { is: 'command', stdout: '', json: null, files: {} });
      this.#byFingerprint.set(fingerprint, result);
      results.set(instance.key, result);
    }
    return outcomes;
  }
}

/** A result called `name`. */
export const media = (name: string, facts: MediaFacts): MediaResult => ({
  is: 'media',
  result_url: `https://results.example/${name}`,
  extension: '',
  sha256: [...name].map(letter => letter.charCodeAt(0).toString(16)).join(''),
  bytes: 1_000,
  generation_id: name as GenerationId,
  request: {},
  cost: 0,
  media: facts,
});

export const clip = (seconds: number): LocalMedia => ({
  sha256: `clip${seconds}`,
  url: `file:///film/clip-${seconds}.mp4`,
  facts: { kind: 'video', format: 'mp4', width: 1280, height: 720, duration: seconds },
  bytes: 1_000_000,
});
