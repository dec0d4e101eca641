/**
 * The order of the test files: longest first, so that no core is left alone with a long file at the end. Durations come from the last run
 * on this machine, which Vitest keeps; in a fresh clone, from `durations.json`, which `npm run test:durations` writes from such a run.
 * Files of one project come together, and those of the projects in the order of the configuration: a process or thread is only reused by a
 * file of the same project.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import durations from './durations.json' with { type: 'json' };

const SECONDS: Readonly<Record<string, number>> = durations;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const projects = this.ctx.projects.map(({ name }) => name);
    const place = ({ project }: TestSpecification) => projects.indexOf(project.name);
    return [...files].sort((a, b) => place(a) - place(b) || this.#seconds(b) - this.#seconds(a) || byName(a, b));
  }

  #seconds(file: TestSpecification): number {
    const last = this.ctx.cache.getTestSpecificationResult(file);
    return last ? last.duration / 1000 : (SECONDS[relative(this.ctx.config.root, file.moduleId)] ?? 0);
  }
}

const byName = (a: TestSpecification, b: TestSpecification): number => (a.moduleId < b.moduleId ? -1 : 1);
