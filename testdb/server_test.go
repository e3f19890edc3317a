package testdb

import (
	"testing"
	"testing/fstest"

	"onceshop/migrations"
)

func TestNamedServerIsUsedInsteadOfOurOwn(t *testing.T) {
	shared := mustConnect(t)
	t.Setenv("SHOP_TEST_DATABASE_URL", shared.dsn(""))
	named, err := connect(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer named.db.Close()
	if named.use != nil {
		t.Error("with a named server, ours was kept running too")
	}
	if err := named.db.PingContext(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestUnreachableNamedServerIsAnErrorThatNamesIt(t *testing.T) {
	t.Setenv("SHOP_TEST_DATABASE_URL", "mysql://nobody:s3cret@127.0.0.1:1/")
	if _, err := connect(t.Context()); err == nil {
		t.Error("no error")
	}
}

func TestChangedMigrationsHaveAnotherTemplate(t *testing.T) {
	t.Parallel()
	one, err := hashOf(migrations.FS)
	if err != nil {
		t.Fatal(err)
	}
	two, err := hashOf(fstest.MapFS{"00001_a.sql": {Data: []byte("CREATE TABLE a (n INT)")}})
	if err != nil {
		t.Fatal(err)
	}
	three, err := hashOf(fstest.MapFS{"00001_a.sql": {Data: []byte("CREATE TABLE a (n INT )")}})
	if err != nil {
		t.Fatal(err)
	}
	if one == two || two == three {
		t.Errorf("the same name for different migrations: %s %s %s", one, two, three)
	}
}
