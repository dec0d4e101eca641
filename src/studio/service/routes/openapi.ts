/** The description of all the others. No key: it tells nothing that is not public. */

import { ok } from '../../reply.ts';
import { openapi } from '../openapi/document.ts';
import { text } from '../openapi/shapes.ts';
import type { ApiRoute } from '../route.ts';

export const describedBy = (routes: () => readonly ApiRoute[]): ApiRoute => ({
  path: '/openapi.json',
  open: true,
  handlers: { GET: (_call, studio) => ok(openapi(routes(), studio)) },
  operations: {
    GET: {
      id: 'describe',
      tag: 'Studio',
      summary: 'This description',
      gives: {
        content: { 'application/json': { type: 'object', required: ['openapi'], properties: { openapi: text } } },
      },
      errors: [],
    },
  },
});
