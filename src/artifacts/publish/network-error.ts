/** What the network says, in words. Never the address: it may be signed. */
import { errorCodeText } from '../../host/error-code-text.ts';

export function plainNetworkError(error: unknown): string {
  const { code, message, cause } = error as NodeJS.ErrnoException & { readonly cause?: NodeJS.ErrnoException };
  const known = code ?? cause?.code;
  switch (known) {
    case 'ECONNREFUSED':
      return 'the connection is refused';
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return 'its name is not known';
    case 'ECONNRESET':
    case 'EPIPE':
    case 'UND_ERR_SOCKET':
      return 'the connection was cut';
    case 'ETIMEDOUT':
    case 'UND_ERR_CONNECT_TIMEOUT':
      return 'connecting took too long';
  }
  return errorCodeText(known)?.what ?? known ?? (message || 'no reason given');
}
