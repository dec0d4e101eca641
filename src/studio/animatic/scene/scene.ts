/**
 * One shot as it is painted: its set, its cast, its weather, seen by its camera. The set is painted once; a frame only moves it.
 *
 *     const scene = new Scene(shot, { width, height, seed });
 *     scene.draw(context, { seconds, progress });
 */

import { Noise } from '../../shared/random.ts';
import type { Place } from '../../shared/vocabulary.ts';
import type { Palette } from '../prompt/palette.ts';
import type { Shot } from '../prompt/read-prompt.ts';
import type { Actor } from './actors.ts';
import { type Context, Pen, strike, surface } from './brush.ts';
import { type Camera, cameraAt, type Projection, project } from './camera.ts';
import { cast } from './cast.ts';
import { isWare } from './places/tabletop.ts';
import { PLACES } from './places.ts';
import { isLayer, type Layer, type Moment, type Mover, Stage } from './stage.ts';
import { FALLS, Weather } from './weather.ts';

interface SceneOptions {
  readonly width: number;
  readonly height: number;
  /** The film's seed: scenes of one film share their light and their cast. */
  readonly seed: string;
}

interface SceneMoment {
  readonly seconds: number;
  readonly progress: number;
  readonly pulse?: number;
}

/** In parts of the frame, 0 and 1 at its edges: what is cast may reach half a frame beyond the left and the right one. */
export interface Box {
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

/** Pixels along the longer side, where it is only asked where something is; and what alpha is no shadow. */
const COARSE = 160;
const SOLID = 160;

export class Scene {
  readonly shot: Shot;
  readonly #stage: Stage;
  readonly #actors: readonly Actor[];
  readonly #weather: Weather;
  readonly #noise: Noise;
  readonly #vignette: ReturnType<typeof surface>['canvas'];

  constructor(shot: Shot, { width, height, seed }: SceneOptions) {
    this.shot = shot;
    this.#stage = new Stage(shot, { width, height, seed });
    PLACES[shot.place](this.#stage);
    this.#actors = cast(this.#stage, seed);
    throwOutOfFocus(this.#stage);
    joinNeighbours(this.#stage);
    const { palette } = this.#stage;
    const air = { width, height, palette, seed: `${seed}|${shot.start}`, heavy: shot.heavy };
    this.#weather = new Weather(airOf(shot), air);
    this.#noise = new Noise(`hand|${seed}`);
    this.#vignette = vignette(width, height);
  }

  get palette(): Palette {
    return this.#stage.palette;
  }

  draw(context: Context, { seconds, progress, pulse = 0 }: SceneMoment): void {
    const stage = this.#stage;
    const { width, height } = stage;
    const moment: Moment = { seconds, progress, pulse };
    const { camera, at } = this.#view(moment);
    context.save();
    const pen = new Pen(context);
    context.imageSmoothingEnabled = true;
    context.imageSmoothingQuality = 'low';
    lean(context, camera, width, height);
    const entrance = stage.set.findLastIndex(piece => piece.depth <= ACTORS);
    if (entrance < 0) this.#play(context, at, moment);
    for (const [i, piece] of stage.set.entries()) {
      const view = at(piece.depth);
      if (isLayer(piece)) slide(context, piece, view, seconds);
      else piece.draw(pen, moment, view);
      if (i === entrance) this.#play(context, at, moment);
    }
    this.#weather.draw(context, { seconds, slide: at(1).x(0) * -1, pulse });
    context.restore();
    context.drawImage(this.#vignette, 0, 0);
  }

  /** Its cast alone, lit as in the scene, on nothing. False where nothing is cast. */
  drawCast(context: Context, { seconds, progress, pulse = 0 }: SceneMoment): boolean {
    const moment: Moment = { seconds, progress, pulse };
    this.#play(context, this.#view(moment).at, moment);
    return this.#actors.length > 0;
  }

  /** Where its cast is seen at a moment; undefined where nothing is cast. Its shadow and its mirror image are left out. */
  subject(moment: SceneMoment): Box | undefined {
    if (this.#actors.length === 0) return undefined;
    const { width, height } = this.#stage;
    const scale = Math.min(1, COARSE / Math.max(width, height));
    const [wide, tall] = [Math.round(2 * width * scale), Math.round(height * scale)];
    const { context } = surface(wide, tall);
    context.scale(scale, scale);
    context.translate(width / 2, 0);
    this.drawCast(context, moment);
    const { data } = context.getImageData(0, 0, wide, tall);
    let [left, right, top, bottom] = [wide, 0, tall, 0];
    for (let at = 0; at < wide * tall; at++) {
      if ((data[at * 4 + 3] ?? 0) < SOLID) continue;
      const [x, y] = [at % wide, Math.floor(at / wide)];
      [left, right] = [Math.min(left, x), Math.max(right, x + 1)];
      [top, bottom] = [Math.min(top, y), Math.max(bottom, y + 1)];
    }
    if (right === 0) return undefined;
    const across = (x: number) => (2 * x) / wide - 0.5;
    return { left: across(left), right: across(right), top: top / tall, bottom: bottom / tall };
  }

  #view({ seconds, progress }: Moment) {
    const { width, height, horizon, reach } = this.#stage;
    const camera = cameraAt(this.shot.camera, { progress, seconds, pace: this.shot.pace }, this.#noise);
    const at = (depth: number) => project(camera, depth, { width, height, vanishing: horizon, reach });
    return { camera, at };
  }

  /** The shot is in the can: its set makes room for the next one's. */
  strike(): void {
    for (const piece of this.#stage.set) if (isLayer(piece)) strike(piece.canvas);
    strike(this.#vignette);
  }

  #play(context: Context, at: (depth: number) => Projection, moment: Moment): void {
    for (const actor of this.#actors) actor.draw(context, at(actor.depth), moment);
  }
}

const INDOORS: ReadonlySet<Place> = new Set(['interior', 'club', 'space', 'orbit']);

/** Rain and snow stay outside: a room shows them in its window. */
const airOf = ({ place, weather }: Shot): Shot['weather'] =>
  INDOORS.has(place) ? weather.filter(kind => !FALLS.has(kind)) : weather;

/** Layers nearer than this, if nothing farther is painted after them, pass in front of the cast. */
const ACTORS = 0.8;

function lean(context: Context, { roll }: Camera, width: number, height: number): void {
  if (roll === 0) return;
  context.translate(width / 2, height / 2);
  context.rotate(roll);
  context.scale(1 + Math.abs(roll) * 1.6, 1 + Math.abs(roll) * 1.6);
  context.translate(-width / 2, -height / 2);
}

function slide(context: Context, { canvas, left, top, drift }: Layer, view: Projection, seconds: number): void {
  const [wide, tall] = [canvas.width * view.scale, canvas.height * view.scale];
  context.drawImage(canvas, view.x(left) + drift * seconds, view.y(top), wide, tall);
}

/** What lies behind a near subject becomes one soft layer, painted once: beautiful, and cheaper than what it replaces. */
function throwOutOfFocus(stage: Stage): void {
  const { size, subject } = stage.shot;
  const close = size === 'close' || size === 'extreme-close';
  if (!subject || (size !== 'medium' && !close)) return;
  const person =
    subject.kind === 'person' || subject.kind === 'couple' || subject.kind === 'crowd' || subject.kind === 'robot';
  // A product stands on something that must be as sharp as itself.
  const small = isWare(stage) || subject.kind === 'flower' || subject.kind === 'butterfly';
  const focus = !small && (close || person) ? 1 : 0.5;
  const behind = stage.set.filter(piece => piece.depth <= focus && (isLayer(piece) || !piece.sharp));
  const kept = stage.set.filter(piece => !behind.includes(piece));
  const scale = close ? 0.5 : 0.75;
  const radius = (close ? 17 : person ? 8 : 4) * stage.unit * scale;
  const flat = surface(stage.span * scale, (stage.bottom - stage.top) * scale);
  flat.context.scale(scale, scale);
  flat.context.translate(stage.spareX, stage.spareY);
  const plain: Projection = { scale: 1, x: x => x, y: y => y };
  for (const piece of behind) {
    if (isLayer(piece)) flat.context.drawImage(piece.canvas, piece.left, piece.top);
    else piece.draw(new Pen(flat.context), { seconds: 0.4, progress: 0, pulse: 0 }, plain);
  }
  const soft = surface(stage.span, stage.bottom - stage.top);
  soft.context.filter = `blur(${Math.max(0.6, radius / scale)}px)`;
  soft.context.drawImage(flat.canvas, 0, 0, soft.canvas.width, soft.canvas.height);
  done(soft.context);
  for (const piece of behind) if (isLayer(piece)) strike(piece.canvas);
  strike(flat.canvas);
  const depth = close ? 0.14 : person ? 0.2 : 0.3;
  // Beams that stay sharp must ride on the same depth as the soft layer, or they leave their lamps.
  stage.set.length = 0;
  stage.set.push(
    { canvas: soft.canvas, depth, left: stage.left, top: stage.top, drift: 0 },
    ...kept.map(piece => (isLayer(piece) || !piece.sharp ? piece : { ...piece, depth, draw: piece.draw })),
  );
}

/** Depths nearer to each other than this move as one. */
const ONE_LAYER = 0.13;

/** Layers that lie one on the other at nearly the same depth become one: each that is saved is two milliseconds of every frame at 720p. */
function joinNeighbours(stage: Stage): void {
  const groups: (Layer | Mover)[][] = [];
  for (const piece of stage.set) {
    const group = groups.at(-1);
    const first = group?.[0];
    const joins =
      first &&
      isLayer(first) &&
      isLayer(piece) &&
      first.drift === 0 &&
      piece.drift === 0 &&
      Math.abs(first.depth - piece.depth) < ONE_LAYER &&
      first.depth <= ACTORS === piece.depth <= ACTORS;
    if (group && joins) group.push(piece);
    else groups.push([piece]);
  }
  stage.set.splice(0, stage.set.length, ...groups.map(group => joined(group)));
}

function joined(group: readonly (Layer | Mover)[]): Layer | Mover {
  const [first] = group;
  if (!first) throw new Error('a group of layers is empty');
  const layers = group.filter(isLayer);
  if (layers.length < 2) return first;
  const left = Math.min(...layers.map(layer => layer.left));
  const top = Math.min(...layers.map(layer => layer.top));
  const right = Math.max(...layers.map(layer => layer.left + layer.canvas.width));
  const bottom = Math.max(...layers.map(layer => layer.top + layer.canvas.height));
  const { canvas, context } = surface(right - left, bottom - top);
  for (const layer of layers) context.drawImage(layer.canvas, layer.left - left, layer.top - top);
  done(context);
  for (const layer of layers) strike(layer.canvas);
  return { canvas, depth: layers.reduce((sum, layer) => sum + layer.depth, 0) / layers.length, left, top, drift: 0 };
}

/** Painting is recorded and done when it is read: reading one pixel keeps the first frame from paying for all of it. */
function done(context: Context): void {
  context.getImageData(0, 0, 1, 1);
}

function vignette(width: number, height: number): ReturnType<typeof surface>['canvas'] {
  const { canvas, context } = surface(width, height);
  const [w, h] = [width / 2, height];
  const [inner, outer] = [Math.min(width, height) * 0.45, Math.hypot(width, height) * 0.6];
  const edge = context.createRadialGradient(w, h * 0.48, inner, w, h / 2, outer);
  edge.addColorStop(0, 'rgba(4,4,10,0)');
  edge.addColorStop(1, 'rgba(4,4,10,0.4)');
  new Pen(context).box(edge, 0, 0, width, height);
  return canvas;
}
