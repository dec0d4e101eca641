/** The options of a program: where and how a film is planned and run. Nothing is read from the environment of the process. */
import type { Reporter } from '../model/run/event.ts';
import type { Selection } from '../model/selector.ts';
import type { JsonObject } from '../model/text/json.ts';
import type { Limits } from '../run/engine/limits.ts';

export interface PlanOptions {
  /** The project's folder: paths of the pipeline are relative to it, outputs land below it, its state is in `.shotlist/`. Default: the current folder. */
  readonly folder?: string;
  readonly params?: JsonObject;
  /** The profile of the pipeline that it is made in; default: `final`. */
  readonly profile?: string;
  /** Makes what was picked in this profile, and nothing of what lost there: `{ promote: 'draft' }` beside `profile`, or `final`. */
  readonly promote?: string;
  /** The files that replace those under `data:`, by name; relative to the pipeline's folder. */
  readonly data?: { readonly [name: string]: string };
  /** What `${{ env.NAME }}` may read of it is declared by the pipeline; commands get PATH, HOME and the like. None unless given: `process.env`. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Default: the built-in studio. */
  readonly service?: ServiceOptions;
  /** Where a team keeps its results, as `store` in the settings: what another machine has paid for is taken from there. Default: none. */
  readonly store?: StoreOptions;
  /** Which part of the film is made, by selectors: `{ steps: ['shot[beat=3]'] }`, `{ exclude: ['upscale'] }`. Default: all of it. */
  readonly selection?: Partial<Selection>;
}

export interface RunOptions extends PlanOptions {
  /** Aborted: nothing new is started, and what is under way at the service goes on there. The next run takes it up. */
  readonly signal?: AbortSignal;
  /** Nothing is paid for: what is not owned ends the run. */
  readonly frozen?: boolean;
  /** US dollars that this run alone may spend, beside the film's own `budget` and the project's in `shotlist.config.yaml`. */
  readonly maxUsd?: number;
  /** `hold`: after the first failure nothing new is begun. Default: `go_on`. */
  readonly onFailure?: 'go_on' | 'hold';
  /** What to do with a request of unknown outcome; default: `fail`. */
  readonly onUnknown?: 'fail' | 'resubmit';
  /** How many generations, commands and downloads go on at once. */
  readonly limits?: Partial<Limits>;
  /** Reporters beside the events; none of them can stop the run. What a reporter of the program's own throws goes to `say`. */
  readonly reporters?: readonly (ReportTo | Reporter)[];
  /** What is called at events, as `on` in the settings. Commands run in the project's folder, with `environment`. */
  readonly on?: HookOptions;
  /** Hears what reporters, hooks and the team's store have to say, a line each: what `shotlist run` prints on standard error. */
  readonly say?: (line: string) => void;
}

/** As behind `--report`. Paths are relative to the current folder; `github` writes to `say`, and reads its variables in `environment`. */
export type ReportTo = `junit=${string}` | `html=${string}` | 'github';

/** `waiting`: a person has to choose. `finished`: the run ended, however it did. */
export type HookOptions = {
  readonly [event in 'waiting' | 'failed' | 'finished' | 'budget']?:
    | HookWay
    /** A command, which is handed the path of a JSON file; or an address that takes JSON. */
    | readonly [string, ...string[]]
    | string;
};

export type HookWay =
  /** `env`: names of the variables that it is given beside the few that every command gets. */
  | { readonly command: readonly [string, ...string[]]; readonly env?: readonly string[] }
  | { readonly url: string }
  /** The name of a variable that holds the address. */
  | { readonly url_env: string };

/** `s3://BUCKET/FOLDER`, or a folder that all of the team can reach. Keys are read from `environment`. */
export type StoreOptions =
  | string
  | {
      readonly at: string;
      /** `false`: results are taken from there, and none is sent. */
      readonly write?: boolean;
      readonly endpoint?: string;
      readonly region?: string;
      /** Names of variables, never the keys themselves. */
      readonly key_id_env?: string;
      readonly key_env?: string;
      readonly profile?: string;
      readonly path_style?: boolean;
    };

export type ServiceOptions =
  /** The built-in studio, in this process. `draft` is small and quick. */
  | { readonly studio: 'full' | 'draft' }
  | {
      /** Its name in fingerprints and in the lock; default: its host. */
      readonly name?: string;
      readonly baseUrl: string;
      readonly key: string;
      /** `trusted`: its history lists all that it was ever given. */
      readonly history?: 'trusted';
      /** `honoured`: it makes one generation of all requests under one `Idempotency-Key`, for a day at least. */
      readonly idempotency?: 'honoured';
      /** The address is of a tunnel: another machine answers there, and reads no files of this one. */
      readonly remote?: true;
      /** How it comes to read files of this machine; default: not at all. Keys are read from `environment`. */
      readonly publish?: PublishOptions;
    };

/** As under `publish` in the settings, where each is explained. */
export type PublishOptions =
  | {
      /** A bucket that is S3-compatible: files are read from it at addresses that are signed for a while, by default `24h`. */
      readonly s3: {
        readonly bucket: string;
        readonly prefix?: string;
        readonly endpoint?: string;
        readonly region?: string;
        readonly expires?: string;
        /** Names of variables, never the keys themselves. */
        readonly key_id_env?: string;
        readonly key_env?: string;
        readonly profile?: string;
        readonly path_style?: boolean;
      };
    }
  | {
      /** Is handed a file, and prints its address. */
      readonly command: readonly [string, ...string[]];
      /** Names of the variables that it is given beside the few that every command gets. */
      readonly env?: readonly string[];
      readonly expires?: string;
    };
