import type { Admission, Admitted, Asked } from '../../src/run/ports/admission.ts';

/** The first answer of an admission that is not to wait: what waits holds no place of this machine in a test. */
export async function admitted(
  admission: Pick<Admission, 'admit'>,
  asked: Asked,
  signal: AbortSignal,
): Promise<Exclude<Admitted, { readonly is: 'wait' }>> {
  for (;;) {
    const answer = await admission.admit(asked, signal);
    if (answer.is !== 'wait') return answer;
    await answer.over;
  }
}
