/** `shotlist models activate MODEL`: brings up a custom model's deployment. */

import { withExitCode } from '../../errors/exit-code.ts';
import { changeDeployment } from '../../service/change-deployment.ts';

export const main = withExitCode(args => changeDeployment('activate', args));
