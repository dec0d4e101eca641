/** What a Shotlist file offers to another one that uses it. */
import type { DerivedPart } from '../domain/derived-media.ts';
import type { StepName } from '../domain/key.ts';
import type { MediaKind } from '../domain/media.ts';
import type { Output, OutputForm, Step, UsedFile } from '../domain/pipeline.ts';
import type { Type } from './types.ts';

export interface Offer {
  readonly file: UsedFile;
  /** Its own steps and those of the files that it uses, under the names that they have in it. */
  readonly steps: readonly Step[];
  readonly outputs: ReadonlyMap<string, OfferedOutput>;
  /** Params that decide how many instances its steps have. */
  readonly counted: ReadonlyMap<string, CountedParam>;
  /** Variables of the environment that it reads, and custom models that it brings up. */
  readonly env: readonly string[];
  readonly deployments: readonly string[];
  /** How many files deep it is: 1 where it uses no other. */
  readonly depth: number;
}

export interface OfferedOutput {
  /** The step that makes it; of a step of a file that this one uses, its whole way. */
  readonly maker: Pick<Output, 'from' | 'file' | 'list' | 'part'>;
  /** The same as the file itself names it. */
  readonly from: StepName;
  readonly file?: string;
  readonly output?: string;
  /** A frame of it, or its sound. */
  readonly part?: DerivedPart;
  /** Of one result. */
  readonly type: Type;
  readonly isList: boolean;
  readonly coordinates: readonly string[];
  readonly several: ReadonlySet<string>;
  readonly produces?: MediaKind | 'text' | undefined;
  readonly forms?: readonly OutputForm[] | undefined;
}

export interface CountedParam {
  readonly step: string;
  /** `list`: an axis; `takes`, `rounds`: how often the same is made; `instances`: how many at most. All but a list are known before the run. */
  readonly by: 'list' | 'takes' | 'instances' | 'rounds';
  /** The step says how many entries its list may have. */
  readonly hasMax: boolean;
}
