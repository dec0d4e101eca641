/** What a label draws at when the request does not say: its example in the document, else its largest quick size. */
const RESOLUTIONS: Readonly<Record<string, string>> = {
  'V-T2V-A': '1080P',
  'V-T2V-B': '768P',
  'V-T2V-C': '720p',
  'V-I2V-A': '540p',
  'V-I2V-B': '720p',
  'V-I2V-C': '720p',
  'V-I2V-D': '720p',
  'V-I2V-E': '1080p',
  'V-REF': '720p',
};

export const usualResolution = (label: string): string => RESOLUTIONS[label] ?? '720p';
