/** "GET /api/events": one stream for everything that completes. */

import { text } from '../openapi/shapes.ts';
import type { ApiRoute } from '../route.ts';

export const events: ApiRoute = {
  path: '/api/events',
  handlers: { GET: (_call, { eventHub }) => ({ stream: response => eventHub.add(response) }) },
  operations: {
    GET: {
      id: 'events',
      tag: 'Queue',
      summary: 'The event stream',
      description:
        'Stays open. `event: media_generation_completed` with `data: {"generation_id": "…"}` for each generation that completes. Nothing is replayed.',
      gives: { content: { 'text/event-stream': text } },
      errors: [],
    },
  },
};
