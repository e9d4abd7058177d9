/** The head of the page, and of the installed app. */
export const head = {
  skip: 'Skip to the photo',
  title: 'Image sanitizer',
  'app.short': 'Sanitizer',
  'app.description':
    'See what a photo gives away, choose what to hide, and get a clean file with proof. On your device.',
  'nav.label': 'Service',
  'nav.api': 'API',
  'nav.service': 'Where photos are cleaned',
  'nav.keyInUse': 'API key in use',
  language: 'Language',
  noScript: 'This page needs JavaScript. The service does not: see the',
} as const;
