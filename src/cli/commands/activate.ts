/** `shotlist activate MODEL`: brings up a custom model's deployment. */

import { guarded } from '../errors/exit-code.ts';
import { moveDeployment } from '../service/change-deployment.ts';

export const main = guarded(args => moveDeployment('activate', args));
