/** `shotlist activate MODEL`: brings up a custom model's deployment. */
import { moveDeployment } from '../deployment.ts';
import { guarded } from '../guarded.ts';

export const main = guarded(args => moveDeployment('activate', args));
