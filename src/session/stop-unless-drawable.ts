/**
 * The built-in studio draws, and films are cut, with packages that an installation may lack: a run says so once, before it starts and
 * anything is paid for, and not each of its steps.
 */
import type { ModelLibrary } from '../domain/model.ts';
import type { Step } from '../domain/pipeline.ts';
import type { Plan } from '../domain/plan.ts';
import { Refusal } from '../domain/refusal.ts';
import { whyNothingIsCut, whyNothingIsDrawn } from '../host/optional-packages.ts';
import { kindOf, modelOf } from '../plan/kinds/index.ts';

/** @throws Refusal when the plan has something to draw and nothing can be drawn here. */
export function stopUnlessDrawable({ instances }: Plan, library: ModelLibrary): void {
  const isDrawn = [...instances].some(
    ({ step, decision }) =>
      (decision.is === 'run' || decision.is === 'maybe' || decision.is === 'sent') && makesMedia(step, library),
  );
  const why = isDrawn ? whyNothingIsDrawn() : undefined;
  if (why !== undefined) throw new Refusal(why);
}

/** @throws Refusal when the plan has something to cut, or frames to take, and nothing can be decoded here. */
export function stopUnlessCut({ instances, outputs }: Plan): void {
  const isCut = [...instances].some(
    ({ step, decision }) => (decision.is === 'run' || decision.is === 'maybe') && kindOf(step).takesEncoder,
  );
  const why = isCut || outputs.some(({ part }) => part !== undefined) ? whyNothingIsCut() : undefined;
  if (why !== undefined) throw new Refusal(why);
}

/** A model that the library does not describe may make anything. */
function makesMedia(step: Step, library: ModelLibrary): boolean {
  const model = modelOf(step);
  return model !== undefined && library.get(model)?.produces !== 'text';
}
