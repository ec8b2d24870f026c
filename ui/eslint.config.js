import importX from 'eslint-plugin-import-x'
import reactHooks from 'eslint-plugin-react-hooks'
import { readdirSync } from 'node:fs'
import tseslint from 'typescript-eslint'

const features = readdirSync(new URL('./src/features', import.meta.url))
const shared = ['api', 'components', 'hooks', 'lib', 'styles'].map((d) => `./src/${d}`)

// Imports only go down: app → features → shared, and no feature knows another.
const zones = [
  { target: shared, from: ['./src/features', './src/app'], message: 'Shared code knows no feature and no page.' },
  { target: './src/features', from: './src/app', message: 'A feature does not know the app.' },
  ...features.map((f) => ({
    target: `./src/features/${f}`,
    from: './src/features',
    except: [`./${f}`],
    message: 'A feature does not know another feature; move what both need to shared.',
  })),
]

export default tseslint.config(
  { ignores: ['dist', 'node_modules', 'src/api/types.gen.ts', 'test-results'] },
  ...tseslint.configs.strict,
  reactHooks.configs.flat.recommended,
  {
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver': { typescript: false, node: { extensions: ['.ts', '.tsx', '.js'] } },
    },
    rules: {
      'import-x/no-default-export': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      'max-lines': ['error', { max: 250, skipComments: true, skipBlankLines: true }],
    },
  },
  { files: ['src/**/*.{ts,tsx}'], rules: { 'import-x/no-restricted-paths': ['error', { zones }] } },
  { files: ['*.config.{js,ts}'], rules: { 'import-x/no-default-export': 'off' } },
)
