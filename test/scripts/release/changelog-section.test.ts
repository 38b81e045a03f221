import { expect, test } from '@jest/globals';
import { formatNotes, readChangelogSection } from '../../../scripts/release/changelog-section.ts';
import { ReleaseFault } from '../../../scripts/release/release-fault.ts';

const CHANGELOG = `# Changelog

## 2.1.0 (2027-01-15)

New: [plans](docs/plans.md#new), [the site](https://example.com/a), [below](#fixed).

### Fixed

- A fault.

## 2.0.0 (2026-11-30)

- Older.
`;

test('the notes of a release are its section of the changelog, without the heading', () => {
  const section = readChangelogSection(CHANGELOG, '2.1.0');
  expect(section).toMatchObject({ version: '2.1.0', date: '2027-01-15' });
  expect(section.text).toMatch(/^New: .*\n\n### Fixed\n\n- A fault\.$/s);
});

test('links into the repository become absolute, and other links stay', () => {
  const section = readChangelogSection(CHANGELOG, '2.1.0');
  expect(formatNotes(section, null)).toBe(`${section.text}\n`);
  expect(formatNotes(section, 'https://git.example.com/blob/v2.1.0')).toContain(
    '[plans](https://git.example.com/blob/v2.1.0/docs/plans.md#new), [the site](https://example.com/a), [below](#fixed)',
  );
});

test.each([
  ['no section', '# Changelog\n', 'CHANGELOG.md has no section'],
  ['an older section first', '## 2.0.0 (2026-11-30)\n\nOld.\n', 'CHANGELOG.md begins with "## 2.0.0 (2026-11-30)"'],
  ['a heading of another form', '## Version 2.1.0\n\nNew.\n', 'CHANGELOG.md begins with "## Version 2.1.0"'],
  ['no date', '# Changelog\n\n## 2.1.0\n\nNew.\n', 'CHANGELOG.md:3: the section of 2.1.0 has no date'],
  ['no date yet', '## 2.1.0 (unreleased)\n\nNew.\n', 'CHANGELOG.md:1: the section of 2.1.0 has the date "unreleased"'],
  ['a day that does not exist', '## 2.1.0 (2027-02-30)\n\nNew.\n', 'has the date "2027-02-30"'],
  ['an empty section', '## 2.1.0 (2027-01-15)\n\n## 2.0.0 (2026-11-30)\n\nOld.\n', 'the section of 2.1.0 is empty'],
])('a changelog with %s is refused', (_, changelog, message) => {
  expect(() => readChangelogSection(changelog, '2.1.0')).toThrow(ReleaseFault);
  expect(() => readChangelogSection(changelog, '2.1.0')).toThrow(message);
});
