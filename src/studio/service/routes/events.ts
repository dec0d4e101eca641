/** "GET /api/events": one stream for everything that completes. */
import type { Route } from '../route.ts';

export const events: Route = {
  path: '/api/events',
  handlers: { GET: (_call, { eventHub }) => ({ stream: response => eventHub.add(response) }) },
};
