/** The built-in studio draws with packages that an installation may lack: that is told once, before a run, and not by each of its steps. */
import type { ModelLibrary } from '../../domain/model.ts';
import type { Plan } from '../../domain/plan.ts';
import { Refusal } from '../../domain/refusal.ts';
import { whyNothingIsDrawn } from '../../host/optional-packages.ts';

/** @throws Refusal when the plan has something to draw and nothing can be drawn here. */
export function stopUnlessDrawable({ instances }: Plan, library: ModelLibrary): void {
  const isDrawn = [...instances].some(
    ({ step, decision }) =>
      step.kind === 'generate' &&
      (decision.is === 'run' || decision.is === 'maybe') &&
      library.get(step.model)?.produces !== 'text',
  );
  const why = isDrawn ? whyNothingIsDrawn() : undefined;
  if (why !== undefined) throw new Refusal(why);
}
