/**
 * Light on a figure, after the fact: the figure is painted flat in its own colours on a sheet of its own, then takes the shade of the
 * hour, a lit and a dark side, and an edge of light where the sun or moon stands. So one drawing of a fox is right at noon and at night.
 */
import { css, lighter, mix } from '../prompt/palette.ts';
import { type Context, surface } from './brush.ts';
import type { Stage } from './stage.ts';

export class LitFigure {
  readonly #stage: Stage;
  readonly #figure: Figure;
  readonly #scale: number;
  readonly #facing: 1 | -1;
  readonly #sheet: ReturnType<typeof surface>;
  readonly #edge: ReturnType<typeof surface>;
  #painted: Pose | null = null;

  /** `scale`: pixels for one of the figure's units. */
  constructor(stage: Stage, figure: Figure, scale: number, facing: 1 | -1) {
    this.#stage = stage;
    this.#figure = figure;
    this.#scale = scale;
    this.#facing = facing;
    const { left, top, right, bottom } = figure.box;
    this.#sheet = surface((right - left) * scale, (bottom - top) * scale);
    this.#edge = surface(this.#sheet.canvas.width, this.#sheet.canvas.height);
  }

  /** Paints it for a moment; what is rigid is painted once. */
  prepare(pose: Pose): void {
    const last = this.#painted;
    const same = last && (this.#figure.rigid || (last.seconds === pose.seconds && last.turns === pose.turns));
    if (!same) this.#light(pose);
    this.#painted = pose;
  }

  /** Puts it with its feet at x, y; `grow` is the camera's doing. */
  place(context: Context, x: number, y: number, grow: number): void {
    this.#put(context, x, y, grow, 1);
  }

  draw(context: Context, x: number, y: number, grow: number, pose: Pose): void {
    this.prepare(pose);
    this.place(context, x, y, grow);
  }

  /** Upside down below its feet, as in ice or water. */
  reflect(context: Context, x: number, y: number, grow: number, strength: number): void {
    context.save();
    context.globalAlpha = strength;
    this.#put(context, x, y, grow, -0.8);
    context.restore();
  }

  #put(context: Context, x: number, y: number, grow: number, upright: number): void {
    const { left, top } = this.#figure.box;
    context.save();
    context.translate(x, y);
    context.scale(grow * this.#facing, grow * upright);
    context.drawImage(this.#sheet.canvas, left * this.#scale, top * this.#scale);
    context.restore();
  }

  #light(pose: Pose): void {
    const { palette, lit } = this.#stage;
    const { context, canvas, pen } = this.#sheet;
    const { left, top } = this.#figure.box;
    context.globalCompositeOperation = 'source-over';
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.clearRect(0, 0, canvas.width, canvas.height);
    context.setTransform(this.#scale, 0, 0, this.#scale, -left * this.#scale, -top * this.#scale);
    this.#figure.draw(context, pose);
    context.setTransform(1, 0, 0, 1, 0, 0);
    context.globalCompositeOperation = 'source-atop';
    const towards = lit * this.#facing;
    const [bright, shade] = [mix(palette.light, palette.sky[2], 0.3), mix(palette.near, palette.sky[0], 0.3)];
    const dim = (0.08 + palette.dark) * (this.#figure.shade ?? 1);
    // One colour to a gradient: where two met in one, a seam ran down the flank of anything large.
    const [from, to] = towards === 1 ? [0, canvas.width] : [canvas.width, 0];
    const away = pen.across(from, to, [0, shade, dim + 0.24], [0.5, shade, dim], [0.85, shade, 0]);
    const facing = pen.across(from, to, [0.45, bright, 0], [1, bright, 0.27]);
    const below = pen.down(canvas.height * 0.35, canvas.height, [0, shade, 0], [1, shade, 0.3]);
    for (const light of [away, facing, below]) pen.box(light, 0, 0, canvas.width, canvas.height);
    const strength = this.#figure.rim ?? 1;
    this.#rim(towards, Math.max(1.6, this.#stage.unit * 9), 0.22 * strength);
    this.#rim(towards, Math.max(1, this.#stage.unit * 3.4), 0.85 * strength);
    context.globalCompositeOperation = 'source-over';
  }

  /**
   * What lies in the figure but not in the figure moved away from the light: its edge on the light's side. Moved by whole pixels,
   * which costs a quarter.
   */
  #rim(towards: number, width: number, alpha: number): void {
    const { context, canvas, pen } = this.#edge;
    const sheet = this.#sheet;
    context.globalCompositeOperation = 'source-over';
    context.clearRect(0, 0, canvas.width, canvas.height);
    pen.box(css(lighter(this.#stage.palette.light, 0.02), alpha), 0, 0, canvas.width, canvas.height);
    context.globalCompositeOperation = 'destination-out';
    context.drawImage(sheet.canvas, -towards * Math.round(width), Math.round(width * 0.75));
    // Painted atop: only what lies in the figure takes it.
    sheet.context.drawImage(canvas, 0, 0);
  }
}

/** Anything that plays in a scene, drawn in its own colours; the stage's light falls on it afterwards (`lighting.ts`). */
export interface Figure {
  /** In the figure's own units: feet at 0,0, up is negative, facing right. */
  readonly box: { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };
  /** Units of ground that one turn of its gait covers; 0 for what does not walk. */
  readonly stride: number;
  /** Drawn the same in every frame: its light is computed once. */
  readonly rigid?: boolean;
  /** How strong the light along its edge is; default: 1. */
  readonly rim?: number;
  /** How much of the hour's darkness falls on it; default: 1. A face stays readable at night, as on any film set. */
  readonly shade?: number;
  draw(context: Context, pose: Pose): void;
}

export interface Pose {
  /** Since the shot began. */
  readonly seconds: number;
  /** Turns of the gait so far. */
  readonly turns: number;
  /** 0 to 1 within the shot. */
  readonly progress: number;
}
