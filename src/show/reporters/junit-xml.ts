/** JUnit's XML, which every CI system shows: one `testsuite`, and its `testcase`s. */
import { xmlAttributes as attributes, xmlText } from '../../model/text/markup.ts';

export interface JunitCase {
  readonly name: string;
  readonly of: string;
  /** Seconds. */
  readonly took: number;
  readonly is: 'passed' | 'failure' | 'error' | 'skipped';
  /** What kind of trouble, for sorting. */
  readonly type?: string;
  readonly message?: string;
  readonly text?: string;
}

interface JunitSuite {
  readonly name: string;
  /** Unix milliseconds. */
  readonly began: number;
  readonly ended: number;
  readonly properties: Readonly<Record<string, string>>;
  readonly cases: readonly JunitCase[];
  /** What is shown as the suite's own output. */
  readonly systemOut: readonly string[];
}

export function junitXml({ name, began, ended, properties, cases, systemOut }: JunitSuite): string {
  const many = (is: JunitCase['is']) => cases.filter(one => one.is === is).length;
  const sums = attributes({
    tests: cases.length,
    failures: many('failure'),
    errors: many('error'),
    time: seconds(ended - began),
  });
  const suite = attributes({ name, timestamp: new Date(began).toISOString().slice(0, 19), skipped: many('skipped') });
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites name="shotlist" ${sums}>`,
    `  <testsuite ${suite} ${sums}>`,
    '    <properties>',
    ...Object.entries(properties).map(([name, value]) => `      <property ${attributes({ name, value })}/>`),
    '    </properties>',
    ...cases.map(caseXml),
    `    <system-out>${xmlText(systemOut.join('\n'))}</system-out>`,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

function caseXml({ name, of, took, is, type = '', message = '', text = '' }: JunitCase): string {
  const open = `    <testcase ${attributes({ name, classname: of, time: seconds(took * 1000) })}`;
  if (is === 'passed')
    return text === '' ? `${open}/>` : `${open}><system-out>${xmlText(text)}</system-out></testcase>`;
  const tag = `<${is} ${attributes({ type, message: message.split('\n')[0] ?? '' })}`;
  return `${open}>${text === '' ? `${tag}/>` : `${tag}>${xmlText(text)}</${is}>`}</testcase>`;
}

const seconds = (ms: number): string => (Math.max(0, ms) / 1000).toFixed(3);
