/** `shotlist deactivate MODEL`: ends a custom model's deployment, and its billing. */

import { guarded } from '../errors/exit-code.ts';
import { moveDeployment } from '../service/change-deployment.ts';

export const main = guarded(args => moveDeployment('deactivate', args));
