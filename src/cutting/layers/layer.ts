/** What lies over a film, as its frames see it. */
import type { Canvas } from '@napi-rs/canvas';
import type { Frame } from '../../media/libav.ts';
import type { Kit } from '../kit.ts';
import { frameWithAlpha, pixelsOfCanvas } from '../painted-frame.ts';

/** What is seen in one frame: a plate that stays, or a moving picture's own frame. */
export interface Plate {
  /** The same plate at the same place has the same name. */
  readonly name: string;
  readonly frame: Frame;
  readonly moves: boolean;
  /** 0 to 1: how much of it is seen; absent: all. */
  readonly share?: number;
  readonly x: number;
  readonly y: number;
}

/** Something that lies over the film for a while. */
export interface Layer extends AsyncDisposable {
  plateAt(frame: number): Promise<Plate | undefined>;
}

export const plateOf = (kit: Kit, canvas: Canvas): Promise<Frame> => frameWithAlpha(kit, pixelsOfCanvas(canvas));
