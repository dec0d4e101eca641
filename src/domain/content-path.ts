/**
 * How a value names content before anybody knows where it lies. Expressions read `steps.shot.file` as such a path, and whoever uses it
 * puts the real one in its place: at the moment of use, on the machine that uses it.
 */

export interface Content {
  /** Lower-case hex. */
  readonly sha256: string;
  /** Of its file, with its dot; empty where it has none. */
  readonly extension: string;
}

/** `/content/9f86….mp4` */
export const contentPath = ({ sha256, extension }: Content): string => `/content/${sha256}${extension}`;

/** Such a path as an address: `file:///content/9f86….mp4`. */
export const contentUrl = (path: string): string => `file://${path}`;

const PATHS = /(file:\/\/)?\/content\/([0-9a-f]{64})(\.[a-z0-9]{1,16})?/gi;

/** The digests that a text names by such paths and addresses. */
export const contentIn = (text: string): readonly string[] =>
  text.includes('/content/') ? [...text.matchAll(PATHS)].map(([, , sha256 = '']) => sha256) : [];

/** The text with real paths and addresses in the place of those that `placeOf` knows. */
export const withRealPaths = (
  text: string,
  placeOf: (sha256: string) => { readonly path: string; readonly url: string } | undefined,
): string =>
  text.includes('/content/')
    ? text.replaceAll(PATHS, (found, scheme: string | undefined, sha256: string) => {
        const place = placeOf(sha256);
        if (!place) return found;
        return scheme === undefined ? place.path : place.url;
      })
    : text;
