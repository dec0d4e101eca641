/** The reporters and hooks of a program's run: the same as the command has. */

import type { Film } from '../app/film/open-film.ts';
import { extraReporters, reportNotBegun, type Stopped, stopUnlessReportable } from '../app/reports/extra-reporters.ts';
import { type ReportTarget, reportTargets } from '../app/reports/report-targets.ts';
import { hooksOf } from '../app/reports/run-hooks.ts';
import { SettingError } from '../client/connect.ts';
import type { Project } from '../machine/files/project.ts';
import { Redactor } from '../machine/redactor.ts';
import type { Reporter } from '../model/run/event.ts';
import { type ExtraReporter, isolated } from '../show/reporters/extra-reporter.ts';
import type { RunOptions } from './film-options.ts';
import { hooksIn } from './settings-of.ts';

export class Reporters {
  readonly #options: RunOptions;
  readonly #targets: readonly ReportTarget[];
  readonly #own: readonly Reporter[];
  readonly #project: Project;
  readonly #file: string;
  #secrets = new Redactor([]);

  private constructor(options: RunOptions, place: { readonly project: Project; readonly file: string }) {
    const asked = options.reporters ?? [];
    this.#options = options;
    this.#targets = reportTargets(asked.filter(one => typeof one === 'string'));
    this.#own = asked.filter(one => typeof one !== 'string');
    this.#project = place.project;
    this.#file = place.file;
  }

  /** @throws {Refusal} for a place that none can be written to. SettingError for orders to a runner that are not heard. */
  static async of(
    options: RunOptions,
    place: { readonly project: Project; readonly file: string },
  ): Promise<Reporters> {
    const reporters = new Reporters(options, place);
    await stopUnlessReportable(reporters.#targets);
    if (!options.say && reporters.#targets.some(({ is }) => is === 'github'))
      throw new SettingError(
        'reporters',
        'the github reporter writes lines: add `say: line => console.log(line)` to receive them',
      );
    return reporters;
  }

  /** Redacts these texts in every report. */
  hide(secrets: Redactor): void {
    this.#secrets = secrets;
  }

  readonly say = (line: string): void => this.#options.say?.(line);

  async ofFilm(film: Film): Promise<readonly ExtraReporter[]> {
    const { say } = this;
    const { environment = {}, on } = this.#options;
    const { pipeline } = film;
    const context = { project: this.#project, file: this.#file, pipeline, environment, say, command: AGAIN };
    return [
      ...this.#own.map(one => isolated(one, why => `a reporter of the program has failed: ${why}`)),
      ...(await extraReporters(this.#targets, context)),
      ...hooksOf({ hooks: on && hooksIn(on), film, environment, say }),
    ];
  }

  /** Every awaited report is written. */
  async reportNotBegun(stopped: Stopped): Promise<void> {
    const { environment = {} } = this.#options;
    const redact = (text: string) => this.#secrets.redact(text);
    const terms = { targets: this.#targets, file: this.#file, environment, say: this.say, redact };
    await reportNotBegun(terms, stopped);
  }
}

export const AGAIN = 'run(pipeline, options) with the same folder';
