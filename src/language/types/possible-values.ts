/**
 * What an expression may turn out to be while not all of what it reads is known: a text, or the value at one place of something that is
 * still to come. Of a choice that is not decided both sides count. Of cleverer expressions nothing is claimed.
 */
import { exact, timeIn } from '../../model/media/derived-media.ts';
import type { ExpressionValue } from '../../model/pipeline.ts';
import { Budget } from '../expression/evaluation-limit.ts';
import { interpret, NOT_KNOWN, type World } from '../expression/interpret.ts';
import { isValue, type Outcome, type Path, pathOf, Unknown } from '../expression/outcome.ts';
import type { Call, Choice, Expr, Loop } from '../expression/tree.ts';
import { readCode } from './cel.ts';
import { lookUp, worldOf } from './evaluate-expression.ts';
import { listsOf, type NeededRead, type PartialScope, readOf } from './needed-reads.ts';

export type Possible =
  | { readonly is: 'text'; readonly text: string }
  /** `frameAt`: not that itself, but the frame of it at this time, in seconds. */
  | { readonly is: 'read'; readonly read: NeededRead; readonly frameAt?: number };

export type PossibleValues =
  /** One value, and all that it may be. */
  | { readonly is: 'one'; readonly of: readonly Possible[] }
  /** Exactly so many items; undefined where nothing is claimed of one. Asked for one by one: there may be thousands, for each of thousands. */
  | {
      readonly is: 'list';
      readonly length: number;
      readonly item: (place: number) => readonly Possible[] | undefined;
    };

/** Undefined where nothing is claimed. Never throws, whatever the expression and the scope hold. */
export function possibleValues(expression: ExpressionValue, partial: PartialScope): PossibleValues | undefined {
  const read = readCode(expression.code);
  switch (read.is) {
    case 'broken':
      return undefined;
    case 'path':
      return one(readAt(pathOf(read.selections[0].segments)));
    case 'program':
      return new Possibilities(expression, partial).of(read.tree);
  }
}

class Possibilities {
  readonly #code: string;
  readonly #world: World;
  /** One for all of its parts. */
  readonly #budget = new Budget();

  constructor(expression: ExpressionValue, partial: PartialScope) {
    this.#code = expression.code;
    const read = (path: Path) => (partial.known(readOf(path)) ? lookUp(path, partial.scope) : NOT_KNOWN);
    this.#world = worldOf(expression, read, listsOf(partial));
  }

  of(node: Expr): PossibleValues | undefined {
    switch (node.op) {
      case 'choice':
        return this.#choice(node);
      case 'list':
        return { is: 'list', length: node.items.length, item: place => onlyOne(this.of(node.items[place]!)) };
      case 'loop':
        return this.#mapped(node);
      case 'call':
        return this.#frame(node) ?? possible(this.#outcome(node));
      default:
        return possible(this.#outcome(node));
    }
  }

  #outcome(node: Expr): Outcome {
    return interpret(node, this.#code, this.#world, this.#budget);
  }

  #choice({ condition, yes, no }: Choice): PossibleValues | undefined {
    const holds = this.#outcome(condition);
    if (holds === true) return this.of(yes);
    if (holds === false) return this.of(no);
    if (!(holds instanceof Unknown)) return undefined;
    const [first, second] = [onlyOne(this.of(yes)), onlyOne(this.of(no))];
    return first && second && { is: 'one', of: [...first, ...second] };
  }

  /** `steps.shot.frame_at('2.5s')` of a video that is still to come. */
  #frame({ name, args, isMethod }: Call): PossibleValues | undefined {
    const [of, time, ...more] = args;
    if (name.name !== 'frame_at' || !isMethod || !of || !time || more.length > 0) return undefined;
    const given = this.#outcome(time);
    const seconds = typeof given === 'string' ? timeIn(given) : Number(isValue(given) ? given : Number.NaN);
    const videos = onlyOne(this.of(of));
    if (!videos || seconds === undefined || !Number.isFinite(seconds)) return undefined;
    if (!videos.every(video => video.is === 'read' && video.frameAt === undefined)) return undefined;
    return { is: 'one', of: videos.map(video => ({ ...video, frameAt: exact(seconds) })) };
  }

  /** `steps.still.map(s, s.result_url)`, with a length that is known before its items are. */
  #mapped({ loop, over, variable, condition, body }: Loop): PossibleValues | undefined {
    const list = this.#outcome(over);
    if (loop !== 'map' || condition || !(list instanceof Unknown) || !list.here) return undefined;
    const { here } = list;
    const length = this.#world.lengthOf?.(here);
    const isField = body.op === 'member' && body.of.op === 'variable' && body.of.name === variable;
    if (length === undefined || !isField) return undefined;
    const item = (place: number): readonly Possible[] | undefined => {
      const path: Path = [...here, place, body.name.name];
      const found = this.#world.read(path);
      if (found === NOT_KNOWN) return [readAt(path)];
      return typeof found === 'string' ? [{ is: 'text', text: found }] : undefined;
    };
    return { is: 'list', length, item };
  }
}

function possible(outcome: Outcome): PossibleValues | undefined {
  if (outcome instanceof Unknown) return outcome.here && one(readAt(outcome.here));
  return typeof outcome === 'string' ? one({ is: 'text', text: outcome }) : undefined;
}

const readAt = (path: Path): Possible => ({ is: 'read', read: readOf(path) });
const one = (...of: readonly Possible[]): PossibleValues => ({ is: 'one', of });
const onlyOne = (values: PossibleValues | undefined) => (values?.is === 'one' ? values.of : undefined);
