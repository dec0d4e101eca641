/** The description of all the others. No key: it tells nothing that is not public. */

import { ok } from '../../reply.ts';
import { openapi } from '../openapi/document.ts';
import type { Route } from '../route.ts';

export const describedBy = (routes: () => readonly Route[]): Route => ({
  path: '/openapi.json',
  open: true,
  handlers: { GET: (_call, studio) => ok(openapi(routes(), studio)) },
});
