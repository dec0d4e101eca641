/** Numbers as people write them: `3`, `three`, `twenty-one`, `a dozen`, `second`. */
const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = ['', '', 'twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];
const ORDINALS = 'zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth'.split(' ');
const OTHERS: Readonly<Record<string, number>> = {
  couple: 2,
  pair: 2,
  few: 3,
  several: 5,
  dozen: 12,
  single: 1,
  hundred: 100,
  both: 2,
};

export function wholeOf(word: string): number | undefined {
  const plain = word.toLowerCase();
  if (/^\d{1,4}(?:st|nd|rd|th)?$/.test(plain)) return Number.parseInt(plain, 10);
  const [tens = '', ones] = plain.split('-');
  const ten = TENS.indexOf(tens);
  if (ten >= 2) return ten * 10 + (ones === undefined ? 0 : Math.max(0, ONES.indexOf(ones)));
  const one = ONES.indexOf(plain);
  if (one >= 0) return one;
  const nth = ORDINALS.indexOf(plain);
  return nth >= 0 ? nth : OTHERS[plain];
}

/** The last number in a few words; `a` or `an` right at their end is one. */
export function numberIn(text: string): number | undefined {
  const words = text.split(/[^\w-]+/).filter(Boolean);
  for (const word of [...words].reverse()) {
    const number = wholeOf(word);
    if (number !== undefined && number > 0 && !/^(?:first|second|third)$/i.test(word)) return number;
  }
  return /^(?:a|an|one)$/i.test(words.at(-1) ?? '') ? 1 : undefined;
}
