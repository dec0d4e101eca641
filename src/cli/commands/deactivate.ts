/** `shotlist deactivate MODEL`: ends a custom model's deployment, and its billing. */
import { moveDeployment } from '../deployment.ts';
import { guarded } from '../guarded.ts';

export const main = guarded(args => moveDeployment('deactivate', args));
