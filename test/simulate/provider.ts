/**
 * The service as it is inside: what it has taken, what it is making, what it shows of it. What is true there is known to nobody but
 * the judge; a runner meets it through `service-over-network.ts` alone.
 */
import { createHash } from 'node:crypto';
import type { CatalogModel, DeploymentStatus } from '../../src/api/catalog.ts';
import type { Answer, Changed } from '../../src/api/service.ts';
import { canonical, type Json, type JsonObject } from '../../src/model/text/json.ts';
import type { DoorRow } from '../checker/check.ts';
import type { Dice } from './dice.ts';
import type { Time } from './time.ts';
import type { Manners } from './vices.ts';

export interface Generation {
  readonly id: string;
  /** The service's own id. */
  readonly model: string;
  /** As the runner calls it. */
  readonly label: string;
  readonly request: JsonObject;
  /** Which intent it stands for: the service may not care, the judge does. */
  readonly nonce: string;
  readonly via: 'queue' | 'sync' | 'chat';
  readonly at: number;
  readonly begins: number;
  readonly ends: number;
  /** Undefined: it succeeds. */
  readonly fails: string | undefined;
  /** What its result is, by content: the same for the same request. */
  readonly content: string;
  /** Milliseconds until its history shows it. */
  readonly lag: number;
  /** When it was cancelled. */
  cancelled?: number;
  /** Until when a question for its id is answered 404; for ever where infinite. */
  forgottenUntil?: number;
  /** Its result is no more, or is something else, until then. */
  spoilt?: { readonly how: 'gone' | 'lie' | 'short' | 'empty' | 'without-url'; readonly until: number };
}

export interface Model {
  readonly label: string;
  readonly id: string;
}

export interface Asked {
  /** The service's own id. */
  readonly model: string;
  /** As the runner calls it. */
  readonly label: string;
  readonly request: JsonObject;
  readonly nonce: string;
  readonly via: Generation['via'];
}

export class Provider {
  readonly generations: Generation[] = [];
  /** Every request that was on its way here, whether or not it arrived. */
  readonly asked: { readonly at: number; readonly label: string }[] = [];
  readonly #byId = new Map<string, Generation>();
  readonly #byNonce = new Map<string, Generation>();
  readonly #time: Time;
  readonly #dice: Dice;
  readonly manners: Manners;
  /** It knows `Idempotency-Key`. */
  readonly knowsNonces: boolean;
  /** The settings say so too. */
  get isIdempotent(): boolean {
    return this.isStudio || (this.knowsNonces && this.cancels);
  }
  /** It lists what it was given. */
  readonly lists: boolean;
  /** Our own: whole, at once, as it was sent. */
  readonly isStudio: boolean;
  readonly cancels: boolean;
  readonly deployments: Deployments;
  /** Labels of one id are names of one model. */
  readonly models: ReadonlyMap<string, string>;
  readonly #omitted: ReadonlySet<string>;
  readonly #newest: number;
  /** Chance that a generation fails by itself. */
  readonly #failing: number;
  readonly #ears = new Set<(id: string) => void>();
  #ids = 0;

  constructor(time: Time, dice: Dice, manners: Manners, isStudio: boolean) {
    this.#time = time;
    this.#dice = dice;
    this.manners = manners;
    this.isStudio = isStudio;
    this.knowsNonces = isStudio || dice.chance(0.3);
    this.lists = isStudio || dice.chance(0.85);
    this.cancels = dice.chance(0.5);
    this.#failing = dice.pick([0, 0, 0, 0.1]);
    this.#newest = dice.between(1, 6);
    this.#omitted = new Set(
      dice.some(['prompt', 'resolution', 'duration', 'seed', 'input_video', 'model_name', 'enqueued_at'], 0.35),
    );
    this.deployments = new Deployments(time, dice.fork('deployments'), model => {
      for (const made of this.generations) if (made.model === model) this.cancel(made);
    });
    const twoLabels = dice.chance(0.4);
    this.models = new Map([
      ['V-T2V-A', 'house/text'],
      ['V-T2V-B', twoLabels ? 'house/text' : 'house/text-b'],
    ]);
  }

  modelId(label: string): string {
    return this.models.get(label) ?? label;
  }

  get(id: string): Generation | undefined {
    return this.#byId.get(id);
  }

  /** One more, from now on paid for; the same again where it knows the key that came along. */
  accept(asked: Asked): Generation {
    const { model, label, request, nonce, via } = asked;
    const known = this.knowsNonces ? this.#byNonce.get(nonce) : undefined;
    if (known) return known;
    const { now } = this.#time;
    const dice = this.#dice;
    const id = `gen-${++this.#ids}`;
    const begins = now + dice.between(0, 5_000);
    const ends = begins + 1_000 * (via === 'chat' ? dice.between(1, 4) : dice.between(2, 90));
    const content = this.contentOf(label, request);
    const made: Generation = {
      ...{ id, model, label, request, nonce, via, at: now, begins, ends, content },
      fails:
        via === 'queue' && !this.manners.isQuiet && dice.chance(this.#failing)
          ? 'the prompt was refused by the provider'
          : undefined,
      lag: this.manners.has('history-lags') ? dice.between(1_000, 250_000) : 0,
    };
    if (via === 'chat') return this.#keep(made);
    if (this.manners.shows('forgets')) made.forgottenUntil = now + dice.between(5_000, 400_000);
    if (this.manners.shows('forgets-for-good')) made.forgottenUntil = Number.POSITIVE_INFINITY;
    const spoilt = this.#spoilt();
    if (spoilt)
      made.spoilt = {
        how: spoilt,
        until: dice.chance(0.2) ? Number.POSITIVE_INFINITY : ends + dice.between(0, 600_000),
      };
    return this.#keep(made);
  }

  #keep(made: Generation): Generation {
    this.generations.push(made);
    this.#byId.set(made.id, made);
    this.#byNonce.set(made.nonce, made);
    if (made.via === 'queue') this.#time.after(made.ends - made.at, 'a generation ends', () => this.#tell(made.id));
    return made;
  }

  #spoilt(): NonNullable<Generation['spoilt']>['how'] | undefined {
    const { manners } = this;
    if (manners.shows('results-gone')) return 'gone';
    if (manners.shows('results-lie')) return 'lie';
    if (manners.shows('results-short')) return 'short';
    if (manners.shows('results-empty')) return 'empty';
    return manners.shows('succeeds-without-url') ? 'without-url' : undefined;
  }

  /** What this request gives, by the model's label, whatever its inputs' addresses are: addresses are read as what lies there. */
  contentOf(label: string, request: JsonObject): string {
    return sha256(canonical({ label, request: this.#withContent(request) }));
  }

  #withContent(value: Json): Json {
    if (typeof value === 'string') {
      const made = this.madeAt(value);
      return made ? `sha256:${made.content}` : value;
    }
    if (Array.isArray(value)) return value.map(item => this.#withContent(item as Json));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, this.#withContent(item as Json)]));
  }

  /** Where its result is; the address is signed for a while. */
  addressOf({ id }: Generation): string {
    const signed = this.manners.has('results-expire') ? this.#time.now + 5_000 : Number.POSITIVE_INFINITY;
    return `${HOST}/r/${id}.mp4?until=${signed}`;
  }

  madeAt(url: string): Generation | undefined {
    const id = url.startsWith(`${HOST}/r/`) ? url.slice(HOST.length + 3).split('.')[0] : undefined;
    return id === undefined ? undefined : this.#byId.get(id);
  }

  statusOf(made: Generation, at = this.#time.now): 'queued' | 'processing' | 'succeeded' | 'failed' | 'cancelled' {
    if (made.cancelled !== undefined && at >= made.cancelled) return 'cancelled';
    if (at < made.begins) return 'queued';
    if (at < made.ends) return 'processing';
    return made.fails === undefined ? 'succeeded' : 'failed';
  }

  /** Whether it is at an end that gave nothing: the same may be asked for again. */
  gaveNothing(made: Generation): boolean {
    const status = this.statusOf(made);
    return status === 'failed' || status === 'cancelled';
  }

  /** It has taken it, and knows nothing of it any more: nobody could find it there. */
  hasLost(id: string): boolean {
    return this.get(id)?.forgottenUntil === Number.POSITIVE_INFINITY;
  }

  cancel(made: Generation): void {
    const status = this.statusOf(made);
    if (status === 'queued' || status === 'processing') made.cancelled = this.#time.now;
    this.#tell(made.id);
  }

  isForgotten({ forgottenUntil = 0 }: Generation): boolean {
    return this.#time.now < forgottenUntil;
  }

  /** What its history shows now, newest first. */
  rows(): JsonObject[] {
    const { manners } = this;
    if (manners.is('history-empty')) return [];
    const { now } = this.#time;
    const isShown = ({ via, at, lag, forgottenUntil }: Generation) =>
      via !== 'chat' && now >= at + lag && forgottenUntil !== Number.POSITIVE_INFINITY;
    let shown = this.generations.filter(isShown);
    if (manners.is('history-truncates')) shown = shown.slice(-this.#newest);
    if (manners.has('history-lags')) manners.is('history-lags');
    return shown.map(made => this.#row(made)).reverse();
  }

  #row(made: Generation): JsonObject {
    const { manners } = this;
    const omits = manners.is('history-omits-fields');
    const rewrites = manners.is('history-rewrites');
    const row: { [name: string]: Json } = {};
    for (const [field, value] of Object.entries(made.request)) {
      if (omits && this.#omitted.has(field)) continue;
      row[field] = rewrites ? rewritten(value) : value;
    }
    row.generation_id = made.id;
    row.status = this.statusOf(made);
    if (!(omits && this.#omitted.has('model_name')))
      row.model_name = manners.is('history-relabels') ? `The ${made.model} model` : made.model;
    if (!(omits && this.#omitted.has('enqueued_at'))) row.enqueued_at = Math.floor(made.at / 1000);
    if (this.knowsNonces) row.idempotency_key = made.nonce;
    return row;
  }

  listen(hear: (id: string) => void): () => void {
    this.#ears.add(hear);
    return () => this.#ears.delete(hear);
  }

  #tell(id: string): void {
    for (const hear of this.#ears) hear(id);
  }
}

export const HOST = 'https://house.test';

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** `5` → `"5s"`, a blank at the end, another signature. */
function rewritten(value: Json): Json {
  if (typeof value === 'number') return `${value}s`;
  if (typeof value !== 'string') return value;
  return value.startsWith(HOST) ? value.replace(/until=.*/, 'until=1&sig=other') : `${value} `;
}

export class Deployments {
  /** For the checker. */
  readonly door: DoorRow[] = [];
  readonly #time: Time;
  readonly #dice: Dice;
  readonly #endsGenerations: (model: string) => void;
  /** When each is active: milliseconds; absent: inactive. */
  readonly #activeFrom = new Map<string, number>();

  /** @param endsGenerations what is in the making of a model gives nothing any more. */
  constructor(time: Time, dice: Dice, endsGenerations: (model: string) => void) {
    this.#time = time;
    this.#dice = dice;
    this.#endsGenerations = endsGenerations;
  }

  /** Undefined: a base model, which is always there. */
  statusOf(model: string): DeploymentStatus | undefined {
    if (!model.endsWith('-look')) return undefined;
    const from = this.#activeFrom.get(model);
    if (from === undefined) return 'inactive';
    return this.#time.now < from ? 'deploying' : 'active';
  }

  /** Whether a request to this model can be taken. */
  serves(model: string): boolean {
    return (this.statusOf(model) ?? 'active') === 'active';
  }

  look(model: string): Answer<CatalogModel> {
    const status = this.statusOf(model);
    if (status === undefined) return { is: 'absent', message: `no model ${model}` };
    return { is: 'ok', value: { id: model, deployments: [{ status }] } as unknown as CatalogModel };
  }

  change(model: string, to: 'up' | 'down'): Changed<CatalogModel> {
    const status = this.statusOf(model);
    if (status !== (to === 'up' ? 'inactive' : 'active'))
      return { is: 'refused', status: 409, message: `the deployment is ${status}` };
    this.door.push({ is: to, at: this.#time.now, model });
    if (to === 'up') this.#activeFrom.set(model, this.#time.now + this.#dice.between(1_000, 60_000));
    else {
      this.#activeFrom.delete(model);
      this.#endsGenerations(model);
    }
    return this.look(model);
  }
}
