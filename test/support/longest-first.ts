/**
 * The order of the test files: longest first, so that no core is left alone with a long file at the end. Durations come from the last run
 * on this machine, which Vitest keeps; in a fresh clone, from `durations.json`, which `npm run test:durations` writes from such a run.
 * Files of the shared project come last and together: a thread is only reused by the file that follows it.
 */
import { relative } from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import durations from './durations.json' with { type: 'json' };

const SECONDS: Readonly<Record<string, number>> = durations;

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return [...files].sort(
      (a, b) => Number(isShared(a)) - Number(isShared(b)) || this.#seconds(b) - this.#seconds(a) || byName(a, b),
    );
  }

  #seconds(file: TestSpecification): number {
    const last = this.ctx.cache.getTestSpecificationResult(file);
    return last ? last.duration / 1000 : (SECONDS[relative(this.ctx.config.root, file.moduleId)] ?? 0);
  }
}

const isShared = ({ project }: TestSpecification): boolean => !project.config.isolate;
const byName = (a: TestSpecification, b: TestSpecification): number => (a.moduleId < b.moduleId ? -1 : 1);
