/** `shotlist models deactivate MODEL`: ends a custom model's deployment, and its billing. */

import { withExitCode } from '../../errors/command-error.ts';
import { changeDeployment } from './activate.ts';

export const main = withExitCode(args => changeDeployment('deactivate', args));
