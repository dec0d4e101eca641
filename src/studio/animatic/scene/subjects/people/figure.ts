/** Anything that plays in a scene, drawn in its own colours; the stage's light falls on it afterwards (`lighting.ts`). */
import type { Context } from '../../brush.ts';

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
