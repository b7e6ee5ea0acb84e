// Command release builds the files of a release of Limn (make release), with the
// standard library and the go command alone.
//
// In: the sources, the module cache, and web/node_modules for the bundles of the page.
// Out: a folder with
//
//	limn_VERSION_OS_ARCH.tar.gz        the program, its licences and its SBOM
//	limn_VERSION_OS_ARCH.cdx.json      the SBOM: CycloneDX, one for each program
//	limn_VERSION_ARCH.deb              for Debian and its relatives, with the systemd unit
//	limn.service, Dockerfile           as docs/howto/systemd.md and container.md show them
//	LICENSE, THIRD_PARTY_LICENSES.txt  of Limn, and of all that any of the programs holds
//	RELEASE_NOTES.md                   from CHANGELOG.md, with what to do when upgrading
//	SHA256SUMS                         of all the others
//
// Invariants: the same commit and the same version of Go give the same bytes; what has
// no licence is not released; a program above 45 MB is not released.
//
// Callers: scripts/release.sh.
package main
