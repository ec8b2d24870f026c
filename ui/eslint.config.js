import { readdirSync } from 'node:fs'
import reactHooks from 'eslint-plugin-react-hooks'
import tseslint from 'typescript-eslint'

const features = readdirSync(new URL('./src/features', import.meta.url))

// Imports only go down: app → features → shared, and no feature knows another.
function forbid(files, group, message) {
  return { files, rules: { 'no-restricted-imports': ['error', { patterns: [{ group, message }] }] } }
}
const floors = [
  forbid(
    ['api', 'components', 'hooks', 'lib'].map((d) => `src/${d}/**`),
    ['@/features/**', '@/app/**', '**/../features/**', '**/../app/**'],
    'Shared code knows no feature and no page.',
  ),
  ...features.map((own) =>
    forbid(
      [`src/features/${own}/**`],
      ['@/app/**', '**/../app/**', ...features.filter((f) => f !== own).flatMap((f) => [`@/features/${f}`, `@/features/${f}/**`, `**/../${f}/**`])],
      'A feature knows neither the app nor another feature; move what both need to shared.',
    ),
  ),
]

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'src/api/types.gen.ts', 'test-results'] },
  ...tseslint.configs.strict,
  reactHooks.configs.flat.recommended,
  {
    rules: {
      'no-restricted-syntax': ['error', { selector: 'ExportDefaultDeclaration', message: 'Export it by name.' }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      'max-lines': ['error', { max: 250, skipComments: true, skipBlankLines: true }],
    },
  },
  ...floors,
  { files: ['*.config.{js,ts}'], rules: { 'no-restricted-syntax': 'off' } },
)
