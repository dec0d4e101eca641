/** What a film is opened with, and why it may stay closed. */

import { dirname, resolve } from 'node:path';
import type { Service } from '../../api/service.ts';
import type { ProjectFiles } from '../../language/used-files.ts';
import type { Watched } from '../../machine/files/file-watch.ts';
import type { Project } from '../../machine/files/project.ts';
import type { Redactor, Secret } from '../../machine/redactor.ts';
import type { Diagnostic, Source } from '../../model/diagnostic.ts';
import type { Pipeline } from '../../model/pipeline.ts';
import type { Promotion } from '../../model/run/promotion.ts';
import type { Selection } from '../../model/selector.ts';
import type { JsonObject } from '../../model/text/json.ts';
import type { VariableAccess } from '../../model/variable-access.ts';
import type { FilmJournal } from '../../records/journal/film-journal.ts';
import type { PresetAnswers } from '../../run/choices/preset-choices.ts';
import type { FileReading } from '../local-files.ts';
import type { StoreChoice } from '../results/team-store.ts';
import type { HostedCatalog } from '../service/models-of-service.ts';
import type { RemoteService } from '../service/service-choice.ts';

export interface FilmToOpen {
  readonly source: Source;
  /** `pipelineFile` need not exist: paths are relative to its folder, and the lock's place follows from its name. */
  readonly project: Project;
  readonly params: JsonObject;
  /** The file to read for each name under `data:`, relative to the pipeline's folder. */
  readonly data?: { readonly [name: string]: string };
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** What of it the film may read. */
  readonly access: VariableAccess;
  /** The service's key, where it has one. */
  readonly key?: Secret | null | undefined;
  /** Opens the journal of this film; absent: that of this machine. */
  readonly journal?: (film: string) => Promise<FilmJournal>;
  /** `run`: no other process may run this film meanwhile. */
  readonly to: 'run' | 'look';
  /** `studio`, or the hosted service's name. */
  readonly service: string;
  /** In which profile of the file; `final` where absent. */
  readonly profile?: string | undefined;
  /** Nothing of it acts outside of this machine. */
  readonly draft?: boolean | undefined;
  /** A hosted service's own catalog has its prices; the studio's are known without asking. */
  readonly hosted: HostedCatalog | undefined;
  /** Asked about deployments, and only where a custom model is used that the run does not activate; absent: not even then. */
  readonly deployments?: Pick<Service, 'model'>;
  readonly elsewhere: RemoteService;
  /** The most submissions of one request whose answers are lost (`Limits.attempts`); absent: unknown. */
  readonly attempts?: number | undefined;
  /** Where a team keeps its results. */
  readonly store?: StoreChoice | undefined;
  /** Who answers chat, where the built-in studio passes it on. */
  readonly chatBy?: string | undefined;
  /** What was picked in another profile; absent: what the journal has noted of that. */
  readonly promotion?: Promotion | undefined;
  /** Which part of the film is made; absent: all of it. */
  readonly selection?: Selection | undefined;
  /** What is chosen and approved beforehand. */
  readonly presets?: PresetAnswers | undefined;
  /** Called when a group of events is written, and not durable yet. */
  readonly committing?: () => void;
  /** Hears what is wrong with the film, and what is odd about it, as it is found. */
  readonly found: (diagnostics: readonly Diagnostic[]) => void;
  /** How the media that it names are looked at; absent: on this disk. */
  readonly readingFiles?: Partial<FileReading>;
  /** Called with every file that the film is made from, as it is read, so that a watcher knows what to watch. */
  readonly looking?: LookedAt;
  /** Called with the reason when the service makes it wait. */
  readonly waiting?: ((message: string) => void) | undefined;
  /** Ends the wait for the service; absent: it waits as long as its patience lasts. */
  readonly signal?: AbortSignal | undefined;
  /** Called once the film is read, before it is planned. */
  readonly compiled?: (pipeline: Pipeline, secrets: Redactor) => void | Promise<void>;
}

/** Why a film is not opened. */
export type Unopened =
  /** `found` has heard why. */
  | { readonly is: 'mistaken' }
  /** The film has no mistake; the selected part is unknown. */
  | { readonly is: 'unselectable'; readonly messages: readonly string[] }
  /** The service does not list its models and prices; the message says what to do. */
  | { readonly is: 'unreachable'; readonly message: string };

/** All that a film was read from: what is looked at for changes, also where it was not there. */
export class LookedAt implements Watched {
  readonly files: Set<string>;
  readonly lists = new Map<string, () => string>();
  readonly read = new Map<string, string>();

  /** @param files that are looked at in any case, absolute. */
  constructor(files: readonly string[]) {
    this.files = new Set(files);
  }

  /** What was read of it first: whatever comes later is a change. */
  found(file: string, sha256: string): void {
    if (!this.read.has(file)) this.read.set(file, sha256);
  }

  /** The same files; each request for one is noted. @param folder of the file that names them. */
  noting(files: ProjectFiles, folder: string): ProjectFiles {
    return {
      read: path => {
        const file = resolve(folder, path);
        this.files.add(file);
        const found = files.read(path);
        if ('sha256' in found) this.found(file, found.sha256);
        return found;
      },
      list: pattern => {
        this.lists.set(`${folder} ${pattern}`, () => JSON.stringify(files.list(pattern)));
        return files.list(pattern);
      },
      relativeTo: path => this.noting(files.relativeTo(path), dirname(resolve(folder, path))),
    };
  }
}
