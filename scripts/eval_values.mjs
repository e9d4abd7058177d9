/**
 * `npm run eval:values`: compares the metadata values that are read with exiftool on the whole corpus, and
 * prints the table of docs/measurements/metadata_values.md.
 */
import './plain_node.mjs';

const { compareCorpus, exiftoolVersion, reasonFor } = await import(
  '../test/metadata/values/corpus_agreement.ts'
);

if (!exiftoolVersion) {
  console.error('exiftool is not installed (libimage-exiftool-perl)');
  process.exit(1);
}
const compared = compareCorpus();
const groupOf = ({ tag }) => tag.slice(0, tag.indexOf(':')).replace(/^IFD\d+$/, 'IFD');
const rows = Object.entries(Object.groupBy(compared, groupOf)).sort(([a], [b]) => (a < b ? -1 : 1));
const count = (list, test) => list.filter(test).length;
console.log(
  `exiftool ${exiftoolVersion}: ${compared.length} values of ${new Set(compared.map(({ file }) => file)).size} files\n`,
);
console.log(
  '| Group | Fields | Values | Agree | Explained | Not |\n| --- | ---: | ---: | ---: | ---: | ---: |',
);
const row = (name, list) => {
  const explained = count(list, (each) => !each.agrees && reasonFor(each));
  const agree = count(list, ({ agrees }) => agrees);
  const fields = new Set(list.map(({ tag }) => tag)).size;
  console.log(
    `| ${name} | ${fields} | ${list.length} | ${agree} | ${explained} | ${list.length - agree - explained} |`,
  );
};
for (const [name, list] of rows) row(name, list);
row('all', compared);
console.log('\n| Disagreement | Values | Files |\n| --- | ---: | ---: |');
for (const [reason, list] of Object.entries(
  Object.groupBy(
    compared.filter(({ agrees }) => !agrees),
    (each) => reasonFor(each) ?? 'none',
  ),
)) {
  console.log(`| ${reason} | ${list.length} | ${new Set(list.map(({ file }) => file)).size} |`);
}
